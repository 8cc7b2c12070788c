import { type TObject, Type } from '@sinclair/typebox'
import type { Context } from '../../base/context'
import { toIso, toIsoOrNull } from '../../base/lib/time'
import type { NoticeRow, PushDeviceRow } from './queries'

const strict = { additionalProperties: false } as const

export const NoticeView = Type.Object(
  {
    id: Type.String(),
    kind: Type.String(),
    title: Type.String(),
    body: Type.String(),
    projectId: Type.Union([Type.String(), Type.Null()]),
    readAt: Type.Union([Type.String(), Type.Null()]),
    createdAt: Type.String(),
  },
  { ...strict, title: 'Notice' },
)

export const toNoticeView = ({ id, kind, title, body, projectId, readAt, createdAt }: NoticeRow) => ({
  id,
  kind,
  title,
  body,
  projectId,
  readAt: toIsoOrNull(readAt),
  createdAt: toIso(createdAt),
})

const Platform = Type.Union([Type.Literal('ios'), Type.Literal('android'), Type.Literal('web')])

export const PushDeviceBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 4096, description: 'From the push service of the device' }),
    platform: Platform,
  },
  strict,
)

export const PushDeviceView = Type.Object(
  {
    id: Type.String(),
    platform: Platform,
    tokenLast4: Type.String(),
    createdAt: Type.String(),
    updatedAt: Type.String(),
  },
  { ...strict, title: 'PushDevice' },
)

export const toPushDeviceView = ({ id, platform, token, createdAt, updatedAt }: PushDeviceRow) => ({
  id,
  platform,
  tokenLast4: token.slice(-4),
  createdAt: toIso(createdAt),
  updatedAt: toIso(updatedAt),
})

const Channels = Type.Object({ email: Type.Boolean(), push: Type.Boolean(), inapp: Type.Boolean() }, strict)

const ChangedChannels = Type.Object(
  {
    email: Type.Optional(Type.Boolean()),
    push: Type.Optional(Type.Boolean()),
    inapp: Type.Optional(Type.Boolean()),
  },
  strict,
)

/** The schemas of preferences, with the kinds that the slices of this program have. */
export function preferenceSchemas({ hooks }: Pick<Context, 'hooks'>) {
  const kinds = hooks.noticeKinds ?? []
  return {
    Change: Type.Object(
      {
        channels: Type.Optional(ChangedChannels),
        kinds: Type.Optional(ofKinds(kinds, Type.Optional(ChangedChannels))),
      },
      strict,
    ),
    members: { channels: Channels, kinds: ofKinds(kinds, Channels) },
  }
}

const ofKinds = <Schema extends TObject>(kinds: readonly { kind: string; description: string }[], schema: Schema) =>
  Type.Object(Object.fromEntries(kinds.map(({ kind, description }) => [kind, { ...schema, description }])), strict)
