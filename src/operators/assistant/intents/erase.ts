import type { Handle } from '../../../base/db/handle'
import { toIso } from '../../../base/lib/time'
import { namesSubject, type Subject } from '../subject'
import { deleteIntent, type IntentRow, listIntentsOf } from './queries'

/** Deletes the proposals that name a person. That one was executed stays in the audit log. */
export async function eraseIntents(handle: Handle, projectId: string, subject: Subject): Promise<number> {
  const naming = (await listIntentsOf(handle, projectId)).filter((intent) => isNaming(intent, subject))
  for (const { id } of naming) await deleteIntent(handle, id)
  return naming.length
}

/** What was proposed to be changed for a person. Of other people it may name, nothing is exported but the action. */
export async function* intentsAbout(handle: Handle, projectId: string, subject: Subject): AsyncGenerator<object> {
  for (const intent of await listIntentsOf(handle, projectId))
    if (isNaming(intent, subject)) {
      const { id, action, status, createdAt } = intent
      yield { id, action, status, createdAt: toIso(createdAt) }
    }
}

const isNaming = ({ arguments: given, preview, summary, base, result, via }: IntentRow, subject: Subject): boolean =>
  namesSubject(
    [summary, ...[given, preview, base, result, via].map((part) => JSON.stringify(part))].join('\n'),
    subject,
  )
