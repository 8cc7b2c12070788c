import type { Context, Tx } from '../../../base/context'
import { type Page, type Paged, paged } from '../../../base/db/page'
import { AppError, notFound } from '../../../base/errors'
import { processName } from '../../../base/lib/this-process'
import { allSettings } from '../../../projects/project/settings'
import type { ProjectState } from '../../../projects/project/state'
import { findModel } from '../credentials/service'
import { maskedText } from '../masking/mask'
import { ThreadMarks } from '../masking/thread-marks'
import type { ToolCaller } from '../tools/caller'
import { historyOf } from './prompt'
import {
  type Author,
  countThreads,
  deleteThreadRows,
  findThread,
  insertMessages,
  insertThread,
  listMessages,
  type MessageRow,
  markStopped,
  NO_TURN,
  pageThreads,
  type ThreadRow,
  updateMessage,
  updateThread,
} from './queries'
import { LONGEST_LOCK_MS, RunningTurn } from './running-turn'
import { writeAnswer } from './write-answer'

export const MOST_THREADS = 200
export const MOST_MESSAGES = 200
export const MESSAGES_PER_MINUTE = 20

export const listThreads = (ctx: Context, author: Author, page: Page): Promise<Paged<ThreadRow>> =>
  paged(page, (limit) => pageThreads(ctx, author, { ...page, limit }))

/** 409 `CONFLICT` for the 201st. */
export const createThread = (ctx: Context, author: Author, title: string | null): Promise<ThreadRow> =>
  ctx.write(async (tx) => {
    await tx.lock(`assistant-threads:${author.projectId}:${author.userId}`)
    if ((await countThreads(tx, author)) >= MOST_THREADS) throw tooMany('A person has', MOST_THREADS, 'threads')
    const now = tx.clock.now()
    const row = { id: tx.ids.next('cth'), ...author, title, marks: {}, ...NO_TURN, createdAt: now, lastMessageAt: now }
    await insertThread(tx, row)
    return row
  })

/** A thread with its messages. 404 for everybody but its author. */
export async function readThread(
  ctx: Context,
  author: Author,
  id: string,
): Promise<{ thread: ThreadRow; messages: MessageRow[] }> {
  const messages = await listMessages(ctx, id) // Read first: the marks in the thread are those of at least these messages.
  return { thread: await requireThread(ctx, author, id), messages }
}

/** Deletes a thread with its messages. An answer that is being written ends. */
export async function deleteThread(ctx: Context, author: Author, id: string): Promise<void> {
  await stopTurn(ctx, author, id)
  await ctx.write(async (tx) => {
    await requireThread(tx, author, id)
    await deleteThreadRows(tx, id)
  })
}

/** Ends the answer that is being written in a thread, within some seconds when another process writes it; false = none is. */
export async function stopTurn(ctx: Context, author: Author, id: string): Promise<boolean> {
  const { turnMessageId: messageId } = await requireThread(ctx, author, id)
  if (messageId === null) return false
  const turn = ctx.state.assistantTurns.find(messageId)
  turn?.stop('STOPPED')
  return turn !== null || ctx.write((tx) => markStopped(tx, { threadId: id, messageId }, tx.clock.now()))
}

/** A question, and how its answer is to be found out. */
export interface Question {
  author: Author
  threadId: string
  content: string
  caller: ToolCaller
}

/**
 * Saves a question and starts to write its answer. 404 without the thread, 412 without a model, 409 while another answer
 * is being written and in a thread that is full.
 */
export async function ask(ctx: Context, project: ProjectState, question: Question): Promise<RunningTurn> {
  await requireThread(ctx, question.author, question.threadId)
  const model = await findModel(ctx, project.id)
  if (!model) throw new AppError('ASSISTANT_NOT_CONFIGURED')
  const isMasked = allSettings(project.settings).assistantPersonalData === 'masked'
  const { turn, marks, messages, questionId } = await ctx.write((tx) =>
    beginTurn(tx, question, { isMasked, instance: processName(ctx.instanceId) }),
  )
  const work = {
    project,
    model,
    caller: question.caller,
    userId: question.author.userId,
    marks,
    turns: historyOf(messages),
    questionId,
  }
  ctx.state.assistantTurns.start(turn, () => writeAnswer(ctx, turn, work))
  return turn
}

interface TurnOf {
  isMasked: boolean
  /** The process that writes the answer. */
  instance: string
}

async function beginTurn(tx: Tx, { author, threadId, content }: Question, { isMasked, instance }: TurnOf) {
  await tx.lock(`assistant-thread:${threadId}`)
  const thread = await requireThread(tx, author, threadId)
  const now = tx.clock.now()
  if (thread.turnStartedAt !== null && now - thread.turnStartedAt < LONGEST_LOCK_MS) throw busy()
  if (thread.turnMessageId !== null) await updateMessage(tx, thread.turnMessageId, { status: 'INTERRUPTED' })
  const before = await listMessages(tx, threadId)
  if (before.length + 2 > MOST_MESSAGES) throw tooMany('A thread has', MOST_MESSAGES, 'messages')
  const marks = isMasked ? new ThreadMarks(thread.marks) : null
  const text = marks === null ? content : maskedText(content, marks, marks.known())
  const own = { projectId: author.projectId, threadId, tools: [], inputTokens: 0, outputTokens: 0, createdAt: now }
  const asked: MessageRow = { id: tx.ids.next('cms'), ...own, role: 'USER', text, status: 'DONE' }
  const answer: MessageRow = { id: tx.ids.next('cms'), ...own, role: 'ASSISTANT', text: '', status: 'RUNNING' }
  await insertMessages(tx, [asked, answer])
  await updateThread(tx, threadId, {
    ...{ ...NO_TURN, turnMessageId: answer.id, turnInstance: instance, turnStartedAt: now, lastMessageAt: now },
    ...(marks && { marks: marks.toStored() }),
    ...(thread.title === null && { title: text.slice(0, 80) }),
  })
  return { turn: new RunningTurn(threadId, answer.id), marks, messages: [...before, asked], questionId: asked.id }
}

async function requireThread(handle: Parameters<typeof findThread>[0], author: Author, id: string): Promise<ThreadRow> {
  const thread = await findThread(handle, author, id)
  if (!thread) throw notFound('thread', id)
  return thread
}

const busy = (): AppError =>
  new AppError('CONFLICT', undefined, { message: 'An answer is being written in this thread; wait for it, or stop it' })

const tooMany = (whose: string, limit: number, what: string): AppError =>
  new AppError('CONFLICT', { limit }, { message: `${whose} at most ${limit} ${what}` })
