import { Type } from '@sinclair/typebox'
import type { Io } from '../../../base/cli/command'
import { unmasked, unmaskedValue } from '../../../core/text/marks'
import type { ProjectApi } from '../../../projects/project/project-api'
import {
  type AnswerEvent,
  Delta,
  Done,
  dataOf,
  type MarkTexts,
  Notice,
  type ReadCall,
  Started,
  ToolUse,
} from './events'
import { failureIn } from './refusals'
import { rowsTable } from './rows'

interface ShownTool {
  name: string
  arguments: string
  rows: number | null
  /** What the route answers; null when it could not be read again. */
  result: unknown
}

/** Prints an answer while it is written, or all of it at the end. */
export class AnswerPrinter {
  private text = ''
  /** The line that is not printed yet: more of it, and of a mark in it, may come. */
  private line = ''
  private marks: MarkTexts = {}
  private readonly tools: ShownTool[] = []
  private done: object = {}

  constructor(
    private readonly project: ProjectApi,
    private readonly io: Io,
    private readonly asked: { threadId: string; isJson: boolean },
  ) {}

  async take(event: AnswerEvent): Promise<void> {
    if (event.event === 'start') this.learn(dataOf(Started, event)?.marks)
    if (event.event === 'delta') this.say(dataOf(Delta, event)?.text ?? '')
    if (event.event === 'tool') await this.show(dataOf(ToolUse, event))
    const notice = dataOf(Notice, event)
    if (event.event === 'notice' && notice) this.io.err(notice.message)
    if (event.event === 'done') this.done = dataOf(Done, event) ?? {}
    if (event.event !== 'error') return
    this.flush()
    throw failureIn(notice ?? { code: 'HTTP_ERROR', message: 'The answer could not be written' })
  }

  /** Prints what is left of the text. */
  flush(): void {
    if (!this.asked.isJson && this.line !== '') this.io.out(unmasked(this.line, this.marks))
    this.line = ''
  }

  end(): void {
    this.flush()
    const { threadId, isJson } = this.asked
    if (isJson) this.io.out(JSON.stringify(this.whole(), hidden))
    else this.io.err(`Go on with: --thread ${threadId}`)
  }

  private whole(): object {
    const text = unmasked(this.text, this.marks)
    return { threadId: this.asked.threadId, text, tools: this.tools, ...this.done }
  }

  private learn(marks: MarkTexts = {}): void {
    this.marks = { ...this.marks, ...marks }
  }

  private say(text: string): void {
    this.text += text
    const lines = (this.line + text).split('\n')
    this.line = lines.pop() ?? ''
    if (this.asked.isJson) return
    for (const line of lines) this.io.out(unmasked(line, this.marks))
  }

  private async show(tool: ToolUse | null): Promise<void> {
    if (!tool) return
    this.learn(tool.marks)
    const { name, rows, read } = tool
    const given = unmasked(tool.summary, this.marks)
    const result = read ? await this.read(read) : null
    this.tools.push({ name, arguments: given, rows, result })
    if (this.asked.isJson) return
    this.flush()
    const count = rows === null ? '' : `: ${rows} ${rows === 1 ? 'row' : 'rows'}`
    this.io.out(`[${name}${given === '{}' || given === '' ? '' : ` ${given}`}${count}]`)
    const shown = rowsTable(result)
    if (shown !== null) this.io.out(shown)
  }

  /** Null when the route refuses it by now. */
  private async read({ method, path, body }: ReadCall): Promise<unknown> {
    if (!path.startsWith(`/dashboard/projects/${this.project.id}/`)) return null
    const whole = unmasked(path, this.marks, encodeURIComponent)
    const given = unmaskedValue(body, this.marks)
    const order = { data: Type.Unknown(), ...(given !== null && { body: given }) }
    return this.project.callPath(method, whole, order).catch(() => null)
  }
}

/** What is in `done` for the console only. */
const hidden = (name: string, value: unknown): unknown => (name === 'marks' ? undefined : value)
