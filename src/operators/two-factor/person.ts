import { AppError } from '../../base/errors'
import type { Actor } from '../../projects/audit/audit'
import type { Session } from '../../projects/doors/sessions'
import type { Visit } from '../accounts/cookies'

/** The signed-in person, and the request in which they change something. */
export interface Person {
  userId: string
  actor: Actor
  session: Session | null
  visit: Visit
}

export const wrongCode = (): AppError => new AppError('UNAUTHORIZED', undefined, { message: 'The code is wrong' })
