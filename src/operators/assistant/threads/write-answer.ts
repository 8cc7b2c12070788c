import type { Context } from '../../../base/context'
import { AppError } from '../../../base/errors'
import { MINUTE, SECOND } from '../../../base/lib/clock'
import { askModel } from '../models/ask-model'
import {
  type ModelAccess,
  ModelFault,
  type ModelRequest,
  type Tokens,
  type ToolCall,
  type ToolResult,
  type Turn,
} from '../models/model'
import { type Answered, estimatedTokens, usedBy } from '../quota/limits'
import { noteFigures, type ReservedStep, releaseQuota, reserveStep, type Spender, settleStep } from '../quota/service'
import type { MessageStatus, StoredTool } from '../tables'
import { faultAnswer } from '../tools/call'
import { mayPropose, sheetsFor, type ToolWork, useTool } from './answer-tools'
import { systemText } from './prompt'
import { deleteMessage, NO_TURN, updateMessage, updateTurn } from './queries'
import type { RunningTurn } from './running-turn'
import { NO_OBJECT, readArguments, summaryOf } from './tool-arguments'

export const MOST_STEPS = 8
const MOST_TURN_MS = 3 * MINUTE
const STEP_TOKENS = 4096
const SAVE_EVERY_MS = SECOND

/** All that an answer is written with. */
export interface AnswerWork extends ToolWork {
  model: ModelAccess
  /** The conversation, which ends with the question. */
  turns: Turn[]
  /** The question, which goes with an answer that never started. */
  questionId: string
}

/** Writes the answer of a turn: asks the model, calls the tools that it names, and asks again until it has answered. */
export async function writeAnswer(ctx: Context, turn: RunningTurn, work: AnswerWork): Promise<void> {
  const answer = new Answer(ctx, turn, work)
  try {
    await answer.write(AbortSignal.any([turn.signal, AbortSignal.timeout(MOST_TURN_MS)]))
  } catch (error) {
    await answer.fail(error).catch((failure: unknown) => {
      turn.emit('error', toldFault(ctx, failure))
    })
  }
}

class Answer {
  private text = ''
  private readonly tools: StoredTool[] = []
  private readonly used: Tokens = { inputTokens: 0, outputTokens: 0 }
  private steps = 0
  private savedAt: number
  private hasBegun = false

  constructor(
    private readonly ctx: Context,
    private readonly turn: RunningTurn,
    private readonly work: AnswerWork,
  ) {
    this.savedAt = ctx.clock.now()
  }

  async write(signal: AbortSignal): Promise<void> {
    while (this.steps < MOST_STEPS) {
      const calls = await this.step(signal)
      if (calls.length === 0) return this.finish('DONE')
      const results: ToolResult[] = []
      for (const call of calls) results.push(await this.call(call, signal))
      this.work.turns.push({ role: 'tools', results })
      await this.save()
    }
    this.emit('notice', { code: 'STEPS', message: `The answer was ended after ${MOST_STEPS} steps` })
    await this.finish('DONE')
  }

  /** Ends the turn after a failure. An answer that never started leaves nothing. */
  async fail(error: unknown): Promise<void> {
    const { ended } = this.turn
    if (ended === 'ERASED') return this.discard()
    if (ended !== null) return this.finish(ended)
    const told = toldFault(this.ctx, error)
    if (isQuota(error)) this.turn.refusal = error
    if (this.hasBegun) await this.close('FAILED')
    else await this.discard()
    this.turn.emit('error', told)
  }

  private async step(signal: AbortSignal): Promise<readonly ToolCall[]> {
    this.steps++
    const request = this.request(signal)
    const inputTokens = estimatedTokens(JSON.stringify([request.system, request.turns, request.tools]))
    const reserved = await reserveStep(this.ctx, this.spender(), { inputTokens, outputTokens: STEP_TOKENS })
    const answer = { figures: {}, text: '', isWhole: false }
    try {
      return await this.read(request, reserved, answer)
    } finally {
      await this.settle(reserved, usedBy(answer, reserved.isLimited ? inputTokens : null))
    }
  }

  private request(signal: AbortSignal): ModelRequest {
    const { project, marks, turns } = this.work
    const isMasked = marks !== null
    const system = systemText(project, this.ctx.clock.now(), { isMasked, mayPropose: mayPropose(project) })
    return { system, turns, tools: sheetsFor(this.ctx, project), maxTokens: STEP_TOKENS, signal }
  }

  private async read(request: ModelRequest, reserved: ReservedStep, answer: Answered): Promise<readonly ToolCall[]> {
    let notedAt = 0
    for await (const event of askModel(this.ctx, this.work.model, request)) {
      if (event.kind === 'tokens') {
        Object.assign(answer.figures, event.tokens)
        const now = this.ctx.clock.now()
        if (now - notedAt < SAVE_EVERY_MS) continue
        notedAt = now
        await noteFigures(this.ctx, reserved, answer.figures)
      }
      if (event.kind === 'text') {
        answer.text += event.text
        await this.say(event.text)
      }
      if (event.kind !== 'end') continue
      answer.isWhole = true
      this.work.turns.push({ role: 'assistant', text: answer.text, calls: event.calls })
      if (event.isCut) this.emit('notice', { code: 'CUT', message: 'The answer was longer than the model may write' })
      return event.calls
    }
    throw new ModelFault('broken', 'the answer has no end')
  }

  private settle(reserved: ReservedStep, used: Tokens): Promise<void> {
    this.used.inputTokens += used.inputTokens
    this.used.outputTokens += used.outputTokens
    return settleStep(this.ctx, reserved, used)
  }

  private async say(text: string): Promise<void> {
    this.text += text
    this.emit('delta', { text })
    if (this.ctx.clock.now() - this.savedAt >= SAVE_EVERY_MS) await this.save()
  }

  private async call({ id, name, arguments: written }: ToolCall, signal: AbortSignal): Promise<ToolResult> {
    signal.throwIfAborted()
    const given = readArguments(written)
    const { text, isError, rows } = given ? await this.use(name, given) : faultAnswer('VALIDATION_ERROR', NO_OBJECT)
    const read = given && !isError ? this.ctx.state.toolbox.readOf(name, given, this.work.project.id) : null
    const shown = { id, name: name.slice(0, 64), summary: summaryOf(written), rows, read }
    this.tools.push(shown)
    this.emit('tool', { ...shown, marks: this.marks() })
    return { id, text, isError }
  }

  private use(name: string, given: Readonly<Record<string, unknown>>) {
    const tell = (intent: object) => this.emit('intent', intent)
    return useTool(this.ctx, this.work, this.turn.threadId, { name, given, tell })
  }

  private emit(event: 'delta' | 'tool' | 'intent' | 'notice' | 'done', data: object): void {
    if (!this.hasBegun) this.turn.emit('start', { messageId: this.turn.messageId, marks: this.marks() })
    this.hasBegun = true
    this.turn.emit(event, data)
  }

  private marks(): object {
    return this.work.marks?.toStored() ?? {}
  }

  private spender(): Spender {
    const { project, model } = this.work
    return { projectId: project.id, messageId: this.turn.messageId, isLimited: model.isOfServer }
  }

  private save(): Promise<void> {
    this.savedAt = this.ctx.clock.now()
    return this.ctx.write(async (tx) => {
      await updateMessage(tx, this.turn.messageId, { text: this.text, tools: this.tools, ...this.used })
      if (this.work.marks) await updateTurn(tx, this.turn, { marks: this.work.marks.toStored() })
    })
  }

  private async finish(status: MessageStatus): Promise<void> {
    if (!this.hasBegun && status !== 'DONE') return this.discard()
    await this.close(status)
    const usage = { ...this.used, steps: this.steps }
    this.emit('done', { usage, messageId: this.turn.messageId, marks: this.marks() })
  }

  private async close(status: MessageStatus): Promise<void> {
    await this.save()
    await this.ctx.write(async (tx) => {
      await releaseQuota(tx, this.spender(), this.text !== '' || status === 'DONE')
      await updateMessage(tx, this.turn.messageId, { status })
      await updateTurn(tx, this.turn, NO_TURN)
    })
  }

  private discard(): Promise<void> {
    return this.ctx.write(async (tx) => {
      await releaseQuota(tx, this.spender(), false)
      await deleteMessage(tx, this.turn.messageId)
      await deleteMessage(tx, this.work.questionId)
      await updateTurn(tx, this.turn, NO_TURN)
    })
  }
}

const FAULTS: Readonly<Record<ModelFault['reason'], string>> = {
  rejected: 'The provider does not accept the key of the assistant',
  no_model: 'The provider does not know the model of the assistant',
  refused: 'The provider refused the request',
  limited: 'The provider has too much to do, or the account there is used up',
  unreachable: 'The model cannot be reached',
  timeout: 'The model took too long',
  broken: 'The model sent an answer that is not understood or has no end',
}

const isQuota = (error: unknown): error is AppError =>
  error instanceof AppError && error.refusal === 'ASSISTANT_QUOTA_EXCEEDED'

function toldFault({ log }: Context, error: unknown): { code: string; message: string } {
  if (isQuota(error)) return error.toWire()
  if (error instanceof ModelFault) return { code: 'STORE_API_ERROR', message: FAULTS[error.reason] }
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { code: 'STORE_API_ERROR', message: 'The answer took longer than 3 minutes' }
  log.error('an answer of the assistant could not be written', { error: String(error) })
  return { code: 'INTERNAL_ERROR', message: 'The answer could not be written' }
}
