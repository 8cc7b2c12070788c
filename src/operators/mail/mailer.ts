import type { Transporter } from 'nodemailer'
import type { Context } from '../../base/context'
import { settlesWithin } from '../../base/jobs/within'
import { SECOND } from '../../base/lib/clock'
import { describeError } from '../../base/lib/log'
import type { Closable } from '../../base/state'
import type { Letter } from './letter'
import type { Message } from './message'
import { smtpOptions } from './smtp-options'

const TIMEOUT_MS = 20 * SECOND
/** How long a stopping process waits for the mails that it is sending. Others are left to the next process. */
const END_MS = 5 * SECOND
/** Without a master key, this many letters are held in memory. */
const MAX_HELD = 1000

/** What a process keeps for sending mail: the connections to the mail server, and letters that cannot be stored. */
export class Mailer implements Closable {
  private readonly held = new Map<string, Letter>()
  private transport: Promise<Transporter> | null = null
  private running: Promise<void> | null = null
  private isServing = false
  private hasEnded = false
  private isWantedAgain = false

  /** `sendAll` sends what is due. `timeoutMs` bounds each step of a conversation with the mail server. */
  constructor(
    private readonly ctx: Pick<Context, 'config' | 'log'>,
    private readonly sendAll: () => Promise<void>,
    private readonly timeoutMs = TIMEOUT_MS,
  ) {}

  /** Keeps a letter that cannot be encrypted. The oldest is dropped when there are too many. */
  hold(id: string, letter: Letter): void {
    this.held.set(id, letter)
    const [oldest] = this.held.keys()
    if (this.held.size > MAX_HELD && oldest !== undefined) this.held.delete(oldest)
  }

  findHeld = (id: string): Letter | null => this.held.get(id) ?? null

  get heldIds(): string[] {
    return [...this.held.keys()]
  }

  drop(id: string): void {
    this.held.delete(id)
  }

  /**
   * Sends what is due now. Two runs never overlap. From the first call on, this process sends at once after commits.
   */
  async serve(): Promise<void> {
    this.isServing = true
    await this.run()
  }

  /** Sends what is due, if this process serves. Called after a commit. */
  wake(): void {
    if (!this.isServing) return
    if (this.running) this.isWantedAgain = true
    else
      void this.run().catch((error: unknown) =>
        this.ctx.log.warn('mail could not be sent', { error: describeError(error) }),
      )
  }

  private run(): Promise<void> {
    this.running ??= this.repeat().finally(() => {
      this.running = null
    })
    return this.running
  }

  private async repeat(): Promise<void> {
    do {
      this.isWantedAgain = false
      await this.sendAll()
    } while (this.isWantedAgain && this.isServing)
  }

  /** Throws what the mail server or the connection refused. */
  async deliver(message: Message): Promise<void> {
    this.transport ??= this.open()
    try {
      await (await this.transport).sendMail(message)
    } catch (error) {
      if (!isAnswer(error)) this.reopen()
      throw error
    }
  }

  private async open(): Promise<Transporter> {
    const { smtpUrl } = this.ctx.config.mail
    if (smtpUrl === null) throw new Error('no mail server is configured')
    const { createTransport } = await import('nodemailer')
    return createTransport(smtpOptions(smtpUrl, this.timeoutMs))
  }

  /** After a failure of the connection the next attempt starts with new ones. */
  private reopen(): void {
    const failed = this.transport
    this.transport = null
    void failed?.then(
      (transport) => transport.close(),
      () => {}, // It was never opened; the attempt has reported why.
    )
  }

  /** The process stops: no further mail is started. */
  get isEnding(): boolean {
    return this.hasEnded
  }

  /** Ends sending: waits a while for what is being sent, and closes the connections. */
  async close(): Promise<void> {
    this.isServing = false
    this.hasEnded = true
    const settled = this.running?.catch(() => {}) // The caller of the run reports it.
    if (settled) await settlesWithin(settled, END_MS)
    this.reopen()
  }
}

/** Whether the server has answered, so that its connection can be used again. */
const isAnswer = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'responseCode' in error && typeof error.responseCode === 'number'
