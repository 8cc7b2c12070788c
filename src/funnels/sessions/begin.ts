import type { Context, Tx } from '../../base/context'
import { notFound } from '../../base/errors'
import { chooseLocale } from '../../core/funnel/locale'
import { recordSessionEvent } from './events'
import type { OpenFunnel } from './open-funnel'
import { insertSession, type SessionRow, saveView } from './queries'
import { hashOf, newSecret } from './secret'

/** How a session starts. */
export interface Beginning
  extends Pick<
    SessionRow,
    'query' | 'utm' | 'referrer' | 'country' | 'device' | 'visitorId' | 'placement' | 'experimentId' | 'variantId'
  > {
  /** The language that was asked for by name. */
  locale: string | null
  /** The id that the session gets; absent = a new one. */
  id?: string
  /** The language of the browser. */
  language: string | null
}

export interface BegunSession {
  session: SessionRow
  secret: string
}

/** A new session at the first page. `also` is written in the same transaction. */
export async function beginSession(
  ctx: Context,
  { project, funnel }: OpenFunnel,
  { id, locale, language, ...beginning }: Beginning,
  also: (tx: Tx, session: SessionRow) => Promise<void> = async () => {},
): Promise<BegunSession> {
  const [first] = funnel.pages
  if (!first) throw notFound('published funnel', funnel.slug)
  const secret = newSecret(ctx)
  const wanted = locale ?? (funnel.settings.locales === false ? null : language)
  const session = await ctx.write(async (tx) => {
    const now = tx.clock.now()
    const row: SessionRow = {
      id: id ?? tx.ids.next('fse'),
      projectId: project.id,
      funnelId: funnel.id,
      versionNo: funnel.versionNo,
      state: 'IN_PROGRESS',
      path: [first.id],
      locale: chooseLocale(funnel, wanted),
      secretHash: hashOf(secret),
      ...beginning,
      ...{ subscriberId: null, startedAt: now, activeAt: now, paidAt: null, completedAt: null },
      ...{ leaseFence: 0, leaseHolder: null, leaseUntil: null },
    }
    await insertSession(tx, row)
    await saveView(tx, { sessionId: row.id, pageId: first.id, projectId: project.id, viewedAt: now })
    await recordSessionEvent(tx, 'funnel.session.started', row, first.id)
    await also(tx, row)
    return row
  })
  return { session, secret }
}

/** The members of an address that the texts of the funnel may use. */
export function usedQuery(
  { settings }: OpenFunnel['funnel'],
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const names = settings.queryParameters ?? []
  return Object.fromEntries(names.flatMap((name) => textMember(given, name)))
}

const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id'] as const

/** Where the visitor came from, as campaigns name it. */
export const utmOf = (given: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(UTM.flatMap((name) => textMember(given, name)))

const LONGEST_VALUE = 500

const textMember = (given: Readonly<Record<string, string | undefined>>, name: string): [string, string][] => {
  const value = Object.hasOwn(given, name) ? given[name] : undefined
  return value === undefined || value === ''
    ? []
    : [[name, value.slice(0, LONGEST_VALUE).toWellFormed().replaceAll('\0', '')]]
}
