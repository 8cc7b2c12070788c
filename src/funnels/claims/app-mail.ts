import type { Context, Tx } from '../../base/context'
import { linkBase } from '../../base/http/own-origin'
import { MINUTE } from '../../base/lib/clock'
import { queueMail } from '../../operators/mail/queue-mail'
import type { ProjectState } from '../../projects/project/state'
import type { BUYER_MAILS } from './model'
import type { PaidSession } from './paid'
import { insertLinks } from './queries-links'
import { hashOf, newSecret, TOKEN_LIFE } from './token'
import { dateText, type Language, languageFor, wordsOf } from './words'

/** How long a link in a mail, and the visit that it opens, works. */
export const LINK_LIFE = 15 * MINUTE

export const MAGIC_PATH = '/public/magic'

interface Receiver {
  address: string
  emailHash: string
}

/** The mail that a buyer asked for: one link into the app for each purchase (wire 5.14). */
export async function mailAppLinks(
  tx: Tx,
  project: ProjectState,
  { paid, ...receiver }: Receiver & { paid: readonly PaidSession[] },
): Promise<void> {
  const language = languageFor(paid[0]?.session.locale ?? null)
  const { appMail } = wordsOf(language)
  await mailLinks(tx, project, receiver, {
    ...{ kind: 'funnel_claim', paid, language, life: LINK_LIFE, subject: appMail.subject(project.name) },
    paragraphs: [appMail.hello(project.name), listed(tx, project, paid, language), appMail.lasts, appMail.ignore],
  })
}

/** The mail about a payment that settled after days. Its link is valid as long as a token, because the buyer has left. */
export async function mailPaidLink(
  tx: Tx,
  project: ProjectState,
  { paid, ...receiver }: Receiver & { paid: PaidSession },
): Promise<void> {
  const language = languageFor(paid.session.locale)
  const { paidMail } = wordsOf(language)
  const until = dateText(tx.clock.now() + TOKEN_LIFE, language)
  await mailLinks(tx, project, receiver, {
    ...{ kind: 'funnel_paid', paid: [paid], language, life: TOKEN_LIFE, subject: paidMail.subject(project.name) },
    paragraphs: [
      paidMail.hello(project.name),
      listed(tx, project, [paid], language),
      paidMail.lasts(until),
      paidMail.later(`${linkBase(tx)}${buyerPath(project)}`),
    ],
  })
}

/** The path of the buyer's page. */
export const buyerPath = ({ slug }: { slug: string }): string => `/f/${slug}/manage`

const listed = (tx: Tx, project: ProjectState, paid: readonly PaidSession[], language: Language): string => {
  const { bought } = wordsOf(language).appMail
  return paid
    .map(({ payment }) =>
      bought(productName(project, payment.productId), dateText(payment.paidAt ?? tx.clock.now(), language)),
    )
    .join('\n')
}

interface LinkMail {
  kind: (typeof BUYER_MAILS)[number]
  paid: readonly PaidSession[]
  language: Language
  /** How long the links work. */
  life: number
  subject: string
  paragraphs: readonly string[]
}

async function mailLinks(
  tx: Tx,
  project: ProjectState,
  { address, emailHash }: Receiver,
  { kind, paid, language, life, subject, paragraphs }: LinkMail,
): Promise<void> {
  const createdAt = tx.clock.now()
  const expiresAt = createdAt + life
  const made = paid.map((one) => ({ one, nonce: newSecret() }))
  const { openApp } = wordsOf(language)
  const [action, ...more] = made.map(({ one, nonce }) => ({
    label: made.length === 1 ? openApp : `${openApp}: ${productName(project, one.payment.productId)}`,
    url: magicUrl(tx, nonce),
  }))
  if (!action) return
  const letter = { kind, to: address, projectId: project.id, subject, paragraphs, action, more, expiresAt }
  const mailId = await queueMail(tx, letter)
  await insertLinks(
    tx,
    made.map(({ one, nonce }, index) => ({
      hash: hashOf(nonce),
      projectId: project.id,
      purpose: index === 0 ? ('APP' as const) : ('APP_MORE' as const),
      sessionId: one.session.id,
      ...{ emailHash, mailId, createdAt, expiresAt, usedAt: null },
    })),
  )
}

const magicUrl = (ctx: Pick<Context, 'config' | 'state'>, nonce: string): string =>
  `${linkBase(ctx)}${MAGIC_PATH}/${nonce}`

/** What was bought, in the words of the project. */
export const productName = ({ catalog, name }: ProjectState, productId: string): string =>
  catalog.products.get(productId)?.displayName ?? name
