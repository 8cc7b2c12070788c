import type { Context } from '../../base/context'
import type { Handle } from '../../base/db/handle'
import type { Answers } from '../../core/funnel/conditions-hold'
import { countedAnswers } from '../../core/funnel/way'
import { openedAnswers } from './answers'
import { listAnswers, type SessionRow } from './queries'

/** Everything that a session has answered, sensitive answers too. */
export const answersOf = async (handle: Handle & Pick<Context, 'vault'>, sessionId: string): Promise<Answers> =>
  openedAnswers(handle, await listAnswers(handle, sessionId))

/** The answers of the pages in the path of a session, with the score; sensitive ones are opened. */
export async function countedAnswersOf(
  handle: Handle & Pick<Context, 'vault' | 'state'>,
  session: SessionRow,
): Promise<Answers> {
  const document = await handle.state.funnelDocuments.get(handle, session.funnelId, session.versionNo)
  if (!document) return {}
  return countedAnswers(document.pages, session.path, await answersOf(handle, session.id))
}
