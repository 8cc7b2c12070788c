import type { Context } from '../../base/context'

/** Makes the attempts of all deliveries of this process. */
export class Dispatcher {
  constructor(readonly ctx: Context) {}

  /** Something may be due now. */
  wake(): void {}

  /** Looks for what is due: also what other processes have written. Runs every second. */
  async tick(): Promise<void> {}

  /** Makes all attempts that are due at the present time of the clock, and those that follow from them. For tests and the CLI. */
  async runDue(): Promise<void> {}

  /** Makes one attempt of a delivery now, and waits for its end. */
  async attemptNow(_deliveryId: string): Promise<void> {}

  /** Takes no more, waits for the running attempts, and releases what has not ended. */
  async drain(): Promise<void> {}
}
