/**
 * Caches results that are expensive to compute. Equal questions at the same time share one computation. A result is
 * reused for as long as `keepMs` returns for it (0 = never).
 */
export class Recent<Answer> {
  private readonly running = new Map<string, Promise<Answer>>()
  private readonly kept = new Map<string, { answer: Answer; until: number }>()

  constructor(
    private readonly now: () => number,
    private readonly keepMs: (answer: Answer) => number,
  ) {}

  async of(question: string, compute: () => Promise<Answer>): Promise<Answer> {
    // A computation that is already running may not have read what this caller wrote just before.
    await this.running.get(question)?.catch(() => {})
    return this.known(question) ?? this.running.get(question) ?? this.start(question, compute)
  }

  private known(question: string): Answer | undefined {
    const held = this.kept.get(question)
    return held && held.until > this.now() ? held.answer : undefined
  }

  private async start(question: string, compute: () => Promise<Answer>): Promise<Answer> {
    const computing = compute()
    this.running.set(question, computing)
    try {
      const answer = await computing
      this.keep(question, answer)
      return answer
    } finally {
      this.running.delete(question)
    }
  }

  private keep(question: string, answer: Answer): void {
    const now = this.now()
    for (const [old, { until }] of this.kept) if (until <= now) this.kept.delete(old)
    const until = now + this.keepMs(answer)
    if (until > now) this.kept.set(question, { answer, until })
  }
}
