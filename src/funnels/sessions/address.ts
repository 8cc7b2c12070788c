import type { Context } from '../../base/context'
import type { Answers } from '../../core/funnel/conditions-hold'
import type { FunnelDocument } from '../../core/funnel/model'
import { fieldsOf } from '../../core/funnel/way'
import { lockedSession } from './presented'
import { saveAnswer, updateSession } from './queries'

/** The answer in which a payment page keeps the address that it asks for first. No field can have this id. */
const ADDRESS = '@email'

/** The mail address that a visitor has given on the way; null = none. */
export function addressIn({ pages }: FunnelDocument, path: readonly string[], answers: Answers): string | null {
  const asked = pages.filter(({ id }) => path.includes(id)).flatMap(fieldsOf)
  const ids = asked.filter(({ kind }) => kind === 'email').map(({ id }) => id)
  const given = [ADDRESS, ...ids.toReversed()].map((id) => (Object.hasOwn(answers, id) ? answers[id] : null))
  return given.find((value): value is string => typeof value === 'string' && value !== '') ?? null
}

/** Keeps the address that a visitor gives before the payment. A session that is paid stays as it is. */
export const saveAddress = (
  ctx: Context,
  sessionId: string,
  { pageId, email }: { pageId: string; email: string },
): Promise<void> =>
  ctx.write(async (tx) => {
    const { projectId, paidAt, state } = await lockedSession(tx, sessionId)
    if (paidAt !== null) return
    const now = tx.clock.now()
    const kept = { value: email, isSealed: false, answeredAt: now }
    await saveAnswer(tx, { sessionId, fieldId: ADDRESS, projectId, pageId, ...kept })
    await updateSession(tx, sessionId, { activeAt: now, state: state === 'ABANDONED' ? 'IN_PROGRESS' : state })
  })
