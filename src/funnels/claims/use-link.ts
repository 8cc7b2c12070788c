import type { Tx } from '../../base/context'
import { endMail } from '../../operators/mail/forget'
import { hasUnusedLink, type LinkRow, spendLink } from './queries-links'

/** Spends the link of a mail; null when it opens nothing. With the last link of a mail the text of the mail is deleted. */
export async function useLink(tx: Tx, asked: Parameters<typeof spendLink>[1]): Promise<LinkRow | null> {
  const link = await spendLink(tx, asked)
  const mailId = link?.mailId ?? null
  if (mailId !== null && !(await hasUnusedLink(tx, mailId))) await endMail(tx, mailId)
  return link
}
