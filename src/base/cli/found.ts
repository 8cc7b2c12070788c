import { AppError } from '../errors'
import { CommandFailure } from './command'

/** The work of a service that found its object; a sentence of ours where it did not. */
export async function found<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'NOT_FOUND')
      throw new CommandFailure(`The project has no ${what}.`)
    throw error
  }
}
