import { type Clock, SECOND } from '../lib/clock'
import type { BlobPlace } from './place'

const REMEMBERED_MS = 30 * SECOND

/**
 * Whether the place of the blobs works. Monitoring asks every few seconds, and a bucket counts each call, so an answer
 * is remembered for 30 seconds.
 */
export class StorageHealth {
  private answer: Promise<boolean> | null = null
  private askedAt = 0

  constructor(
    private readonly blobs: BlobPlace,
    private readonly clock: Clock,
  ) {}

  isWorking(): Promise<boolean> {
    const now = this.clock.now()
    if (this.answer === null || now - this.askedAt >= REMEMBERED_MS) {
      this.askedAt = now
      this.answer = this.blobs.check().then(
        () => true,
        () => false,
      )
    }
    return this.answer
  }
}
