import type { Tx } from '../../../base/context'
import { linkBase } from '../../../base/http/own-origin'
import { queueMail } from '../../../operators/mail/queue-mail'
import type { ProjectState } from '../../../projects/project/state'
import { buyerPath, LINK_LIFE } from '../app-mail'
import { insertLinks } from '../queries-links'
import { hashOf, newSecret } from '../token'
import { languageFor } from '../words'
import { buyerWords } from './words'

export { buyerPath as pagePath } from '../app-mail'

/** A mail with the link to the buyer's page. */
export async function mailBuyerLink(
  tx: Tx,
  project: ProjectState,
  { address, emailHash, locale }: { address: string; emailHash: string; locale: string },
): Promise<void> {
  const createdAt = tx.clock.now()
  const expiresAt = createdAt + LINK_LIFE
  const token = newSecret()
  const { mail } = buyerWords(languageFor(locale))
  const mailId = await queueMail(tx, {
    kind: 'funnel_buyer',
    to: address,
    projectId: project.id,
    subject: mail.subject(project.name),
    paragraphs: [mail.hello(project.name), mail.lasts, mail.ignore],
    action: { label: mail.open, url: `${linkBase(tx)}${buyerPath(project)}?token=${token}` },
    expiresAt,
  })
  const link = { hash: hashOf(token), projectId: project.id, purpose: 'BUYER' as const, sessionId: null, usedAt: null }
  await insertLinks(tx, [{ ...link, emailHash, mailId, createdAt, expiresAt }])
}
