import { AppError, type ErrorCode } from '../errors'
import { SECOND } from '../lib/clock'

const ANSWER_MS = 7.5 * SECOND

/**
 * Waits for the work of a remote system, which may need many calls. Throws the refusal when the work takes too long,
 * because the response must be sent within 8 s (wire 3.2). The work itself continues.
 */
export async function inTime<Result>(work: Promise<Result>, refusal: ErrorCode, whose: string): Promise<Result> {
  if (await settlesWithin(work, ANSWER_MS)) return work
  throw new AppError(refusal, undefined, { cause: new Error(`${whose} did not answer in time`) })
}

/** Whether the work settles before `ms` of real time are over. Rejects when the work does. */
export async function settlesWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const { promise: timeUp, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(resolve, ms, false)
  try {
    return await Promise.race([work.then(() => true), timeUp])
  } finally {
    clearTimeout(timer)
  }
}
