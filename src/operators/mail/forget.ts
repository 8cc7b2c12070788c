import type { Tx } from '../../base/context'
import { blankMail, deleteMails, listReceivers } from './queries'

interface Sort {
  projectId: string
  kinds: readonly string[]
}

/** Deletes the mails of a project to some addresses, whatever became of them. Returns how many. */
export async function forgetMails(tx: Tx, sort: Sort, isTheirs: (address: string) => boolean): Promise<number> {
  const addresses = (await listReceivers(tx, sort)).filter(isTheirs)
  const ids = await deleteMails(tx, sort, addresses)
  tx.afterCommit(() => {
    for (const id of ids) tx.state.mailer.drop(id)
  })
  return ids.length
}

/** All links of the mail are used or expired, so its text is removed. */
export async function endMail(tx: Tx, id: string): Promise<void> {
  await blankMail(tx, id, tx.clock.now())
  tx.afterCommit(() => tx.state.mailer.drop(id))
}
