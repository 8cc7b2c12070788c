import { AppError } from '../errors'
import { CommandFailure } from './command'

/** The result of a service; throws a sentence that names the object when the service did not find it. */
export async function found<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof AppError && error.refusal === 'NOT_FOUND')
      throw new CommandFailure(`The project has no ${what}.`)
    throw error
  }
}
