import { AppError } from '../errors'
import { CommandFailure } from './command'

/** Waits for the result of a service. When the service finds nothing, throws a sentence that names the object. */
export async function found<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'NOT_FOUND')
      throw new CommandFailure('NOT_FOUND', `The project has no ${what}.`)
    throw error
  }
}
