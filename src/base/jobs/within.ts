import { AppError, type ErrorCode } from '../errors'
import { SECOND } from '../lib/clock'

const ANSWER_MS = 7.5 * SECOND

/**
 * What others give, asked perhaps many times. The answer must leave within 8 s all the same (wire 3.2): the refusal when
 * they take too long, while the work goes on.
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
