import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { DAY } from '../../base/lib/clock'
import type { Mac } from '../../base/lib/mac'

/** The longest that a link works. */
export const MAX_LIFE = 7 * DAY

const PURPOSE = 'funnel preview'

const Preview = Type.Object(
  {
    /** The project and the funnel. */
    p: Type.String(),
    f: Type.String(),
    /** A version, or 0 for the draft as it is when it is looked at. */
    v: Type.Integer({ minimum: 0 }),
    l: Type.Union([Type.String(), Type.Null()]),
    /** When the link ends, in seconds. */
    e: Type.Integer(),
  },
  { additionalProperties: false },
)

export interface PreviewLink {
  projectId: string
  funnelId: string
  version: number | 'draft'
  /** Null = the language of the browser. */
  locale: string | null
  /** In milliseconds. */
  expiresAt: number
}

/** What a preview link shows, signed: without the key no link of another funnel can be made. */
export function previewToken(mac: Mac, { projectId, funnelId, version, locale, expiresAt }: PreviewLink): string {
  const content = {
    p: projectId,
    f: funnelId,
    v: version === 'draft' ? 0 : version,
    l: locale,
    e: Math.floor(expiresAt / 1000),
  }
  const text = Buffer.from(JSON.stringify(content)).toString('base64url')
  return `${text}.${mac.sign(text, PURPOSE)}`
}

/** Null for a token that this deployment has not signed. */
export function readPreviewToken(mac: Mac, token: string): PreviewLink | null {
  const [, text, signature] = /^([\w-]{1,400})\.([\w-]{43})$/.exec(token) ?? []
  if (text === undefined || signature === undefined || !mac.isSigned(text, PURPOSE, signature)) return null
  const content: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) // We have signed it.
  if (!Value.Check(Preview, content)) return null
  const { p, f, v, l, e } = content
  return { projectId: p, funnelId: f, version: v === 0 ? 'draft' : v, locale: l, expiresAt: e * 1000 }
}
