import type { Handle } from '../../base/db/handle'

export type MailRow = Handle['tables']['mails']['$inferSelect']

export async function insertMail({ db, tables }: Handle, row: MailRow): Promise<void> {
  await db.insert(tables.mails).values(row)
}
