import type { Context } from '../../base/context'
import { notFound } from '../../base/errors'
import { linkBase } from '../../base/http/own-origin'
import { toIso } from '../../base/lib/time'
import { chooseLocale } from '../../core/funnel/locale'
import { CONFIG_FORMAT_VERSION, type FunnelContent } from '../../core/funnel/model'
import { renderPage } from '../../core/funnel/render/page'
import { givenSettings } from '../../core/funnel/settings-form'
import { countedAnswers, progressAt } from '../../core/funnel/way'
import { findProject } from '../../projects/project/service'
import { appWays } from '../claims/ways'
import { findHtmlBlock } from '../publication/html-blocks'
import { type FunnelRow, findFunnel, findFunnelVersion, getFunnel } from '../publication/service'
import { offerOf } from '../sessions/hooks'
import { animationScripts } from '../sessions/page/animation'
import { linksOf, PREVIEW_PATH } from './links'
import { previewSheet } from './sheet'
import { type PreviewLink, previewToken, readPreviewToken } from './token'
import { keptOf, previewStep } from './visit'

/** A link that shows a version of a funnel, or its draft, to everyone who has it. It makes no session and costs nothing. */
export async function previewLink(
  ctx: Context,
  link: Omit<PreviewLink, 'expiresAt'> & { lifeMs: number },
): Promise<{ url: string; expiresAt: string }> {
  const { projectId, funnelId, version, locale, lifeMs } = link
  const row = await getFunnel(ctx, projectId, funnelId)
  if ((await contentOf(ctx, row, version)) === null) throw notFound(`version of ${row.slug}`, String(version))
  const expiresAt = ctx.clock.now() + lifeMs
  const token = previewToken(ctx.mac, { projectId, funnelId, version, locale, expiresAt })
  return { url: `${linkBase(ctx)}${PREVIEW_PATH}?token=${token}`, expiresAt: toIso(expiresAt) }
}

async function contentOf(ctx: Context, row: FunnelRow, version: number | 'draft'): Promise<FunnelContent | null> {
  if (version === 'draft') return row.draft
  return (await findFunnelVersion(ctx, row.id, version))?.document ?? null
}

interface Previewing {
  html: string
  /** The only scripts of a preview: those of animations. */
  hasScripts: boolean
}

/** The page that an address of a preview shows; null for a link that has ended, or whose funnel is gone. */
export async function previewPage(
  ctx: Context,
  form: URLSearchParams,
  languages: string | null,
  nonce: string,
): Promise<Previewing | null> {
  const token = form.get('token') ?? ''
  const found = await previewed(ctx, token)
  const project = found && (await findProject(ctx, found.link.projectId))
  if (!found || !project) return null
  const { link, row, content } = found
  const today = toIso(ctx.clock.now()).slice(0, 10)
  const step = previewStep(content, form, today)
  if (!step) return null
  const { page, visit, faults } = step
  const query = queryOf(content, form)
  const offer = await offerOf(ctx, row.projectId, { ...content, configFormatVersion: CONFIG_FORMAT_VERSION })
  const locale = chooseLocale(content, link.locale ?? preferred(languages))
  const view = {
    name: row.name,
    content,
    settings: givenSettings(content.settings, null),
    page,
    locale,
    answers: { ...visit.answers, ...countedAnswers(content.pages, visit.path, visit.answers) },
    query,
    prices: offer.prices,
    progress: progressAt(content.pages, visit.path),
    canGoBack: visit.path.length > 1,
    faults,
    form: { action: PREVIEW_PATH, method: 'get' as const, hidden: { token, ...keptOf(visit), ...query } },
    links: await linksOf(ctx, project, { ...content, pages: [page] }, token),
    ways: await appWays(ctx, { projectId: project.id, locale, paid: null }),
    nonce,
    isPreview: true,
    scripts: animationScripts(page),
    ...previewSheet({ content, page, project, locale, offer, pressed: form.get('pay') }),
  }
  return { html: renderPage(view, today), hasScripts: view.scripts.length > 0 }
}

interface Previewed {
  link: PreviewLink
  row: FunnelRow
  content: FunnelContent
}

/** What a link shows; null for one that has ended, or whose funnel is gone. */
async function previewed(ctx: Context, token: string): Promise<Previewed | null> {
  const link = readPreviewToken(ctx.mac, token)
  if (!link || link.expiresAt <= ctx.clock.now()) return null
  const row = await findFunnel(ctx, link.projectId, link.funnelId)
  const content = row && (await contentOf(ctx, row, link.version))
  return row && content ? { link, row, content } : null
}

/** An `html` block of what a link shows; null = none. */
export async function previewedBlock(ctx: Context, token: string, hash: string): Promise<string | null> {
  const found = await previewed(ctx, token)
  return found && findHtmlBlock(found.content, hash)
}

/** The parameters that texts may use, from the address. */
function queryOf({ settings }: FunnelContent, form: URLSearchParams): Record<string, string> {
  const names = (settings.queryParameters ?? []).filter((name) => form.has(name) && !RESERVED.has(name))
  return Object.fromEntries(names.map((name) => [name, (form.get(name) ?? '').slice(0, 500)]))
}

/** What a preview itself uses of the address. */
const RESERVED = new Set(['token', 'path', 'answers', 'action', 'pay', 'package'])

/** The language that a browser wants most. */
const preferred = (languages: string | null): string | null => languages?.split(/[,;]/)[0]?.trim() || null
