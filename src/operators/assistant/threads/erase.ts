import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../base/context'
import type { Handle } from '../../../base/db/handle'
import type { Slice } from '../../../base/slice'
import { unmasked } from '../../../core/text/marks'
import { eraseIntents, intentsAbout } from '../intents/erase'
import { namesSubject, type Subject, usableTexts } from '../subject'
import type { StoredMark, StoredRead } from '../tables'
import { listMessages, type MessageRow, NO_TURN, type ThreadRow, updateThread } from './queries'

type OnErase = NonNullable<Slice['onErase']>
type OnExport = NonNullable<Slice['onExport']>

/** A message that names the person goes whole, with its question or its answer; so do the marks for their texts. */
export const eraseMessages: OnErase = async (tx, project, { attributes }, { ids, deviceKeys, labels, texts }) => {
  const own = Object.values(attributes).map(({ value }) => value)
  const subject = { ids, texts: [...deviceKeys, ...labels, ...texts.chosen, ...own] }
  let [removed, reduced] = [0, 0]
  for (const thread of await threadsOf(tx, project.id)) {
    const { all, messages, marks } = await findNaming(tx, thread, subject)
    if (messages.length === 0 && marks.length === 0) continue
    removed += await deleteMessages(tx, new Set([...messages, ...unfinishedOf(all, thread)]))
    reduced++
    await updateThread(tx, thread.id, { ...withoutMarks(thread, marks, subject), ...NO_TURN })
    stopLater(tx, thread)
  }
  const intents = await eraseIntents(tx, project.id, subject)
  return {
    assistant_messages: { removed },
    assistant_threads: { reduced },
    assistant_intents: { removed: intents },
  }
}

/** What people of the project and the assistant wrote about a person. The data of other people stays masked. */
export const exportMessages: OnExport = (handle, project, person) => ({
  'assistant.jsonl': naming(handle, project.id, person),
})

async function* naming(handle: Handle, projectId: string, subject: Subject): AsyncGenerator<object> {
  for (const thread of await threadsOf(handle, projectId)) {
    const { messages } = await findNaming(handle, thread, subject)
    for (const { id, role, text, createdAt } of messages)
      yield { id, role, text: withOwnTexts(text, thread, subject), createdAt: new Date(createdAt).toISOString() }
  }
  yield* intentsAbout(handle, projectId, subject)
}

const threadsOf = ({ db, tables }: Handle, projectId: string): Promise<ThreadRow[]> =>
  db.select().from(tables.assistantThreads).where(eq(tables.assistantThreads.projectId, projectId))

/** The marks that replace texts of a person, and the messages that name the person, each with its pair. */
async function findNaming(handle: Handle, thread: ThreadRow, subject: Subject) {
  const marks = Object.entries(thread.marks).flatMap(([mark, stored]) => (isOf(stored, subject) ? [mark] : []))
  const all = await listMessages(handle, thread.id)
  const isNaming = all.map((message) => names(message, marks, subject))
  const messages = all.filter((_message, at) => isNaming[at] || isNaming[partnerOf(all, at)])
  return { all, messages, marks }
}

/** The answer of a question, or the question of an answer; itself when it has none. */
function partnerOf(all: readonly MessageRow[], at: number): number {
  const other = all[at]?.role === 'USER' ? at + 1 : at - 1
  return all[other] && all[other].role !== all[at]?.role ? other : at
}

/** The answer that is being written, which may name the person too, and its question. */
const unfinishedOf = (all: readonly MessageRow[], { turnMessageId }: ThreadRow): MessageRow[] =>
  all.filter(({ id }, at) => id === turnMessageId || all[partnerOf(all, at)]?.id === turnMessageId)

/** Also a mark for a text that contains one of the person. */
const isOf = ({ text }: StoredMark, subject: Subject): boolean =>
  usableTexts(subject).some((own) => text.toLowerCase().includes(own))

function names({ text, tools }: MessageRow, marks: readonly string[], subject: Subject): boolean {
  const whole = [text, ...tools.flatMap(({ summary, read }) => [summary, ...(read ? textsOf(read) : [])])].join('\n')
  return marks.some((mark) => new RegExp(`\\b${mark}\\b`).test(whole)) || namesSubject(whole, subject)
}

const textsOf = ({ path, body }: StoredRead): string[] => [
  decodeURIComponent(path.replaceAll('+', ' ')),
  JSON.stringify(body),
]

async function deleteMessages({ db, tables }: Handle, messages: ReadonlySet<MessageRow>): Promise<number> {
  const { assistantMessages: m } = tables
  for (const { id, threadId } of messages) await db.delete(m).where(and(eq(m.id, id), eq(m.threadId, threadId)))
  return messages.size
}

function withoutMarks(thread: ThreadRow, marks: readonly string[], subject: Subject): Partial<ThreadRow> {
  const kept = Object.entries(thread.marks).filter(([mark]) => !marks.includes(mark))
  const title = thread.title?.toLowerCase() ?? ''
  const isNamed = marks.some((mark) => title.includes(mark)) || usableTexts(subject).some((own) => title.includes(own))
  return { marks: Object.fromEntries(kept), ...(isNamed && { title: null }) }
}

/** Ends the answer that is being written. What it reads from now on is saved nowhere. */
function stopLater(tx: Tx, { turnMessageId }: ThreadRow): void {
  const turn = turnMessageId === null ? null : tx.state.assistantTurns.find(turnMessageId)
  if (turn) tx.afterCommit(() => turn.stop('ERASED'))
}

/** The text of a message with the person's own texts in place of their marks. */
const withOwnTexts = (text: string, { marks }: ThreadRow, subject: Subject): string =>
  unmasked(text, Object.fromEntries(Object.entries(marks).filter(([, stored]) => isOf(stored, subject))))
