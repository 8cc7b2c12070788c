import { type Static, Type } from '@sinclair/typebox'
import { CommandFailure, type Io } from '../../base/cli/command'
import type { ErrorCode } from '../../base/errors'
import type { ProjectApi } from '../../projects/project/project-api'
import { Done as DoneSchema } from '../dashboard/simulation-wire'

export type Output = Pick<Io, 'out'>

export const PATH = ['test-store', 'simulations']

/** A newer server may answer more. */
const DoneAnswer = Type.Omit(DoneSchema, [], { additionalProperties: true })
type Done = Static<typeof DoneSchema>

/** Orders what changes one purchase. */
export const order = (project: ProjectApi, body: object): Promise<Done> =>
  project.call('POST', PATH, { data: DoneAnswer, body })

/** Prints the result of a turn: the messages of the store, and the entitlements of the device now. */
export function report(io: Output, json: boolean | undefined, done: Done): number {
  const refusal = done.failed.find(({ type, isFinal }) => type === 'app' && isFinal)
  // The code is of the table of errors: the service that refused the purchase has thrown it.
  if (refusal) throw new CommandFailure(refusal.code as ErrorCode, `The purchase was refused: ${refusal.error}`)
  const { delivered, failed, ...rest } = done
  io.out(json ? JSON.stringify({ ...rest, ...toHeard({ delivered, failed }) }) : toLines(done).join('\n'))
  return 0
}

type Heard = Pick<Done, 'delivered' | 'failed'>

export const toHeard = ({ delivered, failed }: Heard) => ({
  delivered,
  failed: failed.map(({ type, error }) => ({ type, error })),
})

const toLines = ({ transactionId, subscriberId, told, failed, access }: Done): string[] => [
  `transaction  ${transactionId}`,
  `subscriber   ${subscriberId ?? 'none yet'}`,
  `store told   ${told.join(', ') || 'nothing'}`,
  ...failed.map(failureLine),
  `access       ${describeAccess(access)}`,
]

export const failureLine = ({ type, error }: Heard['failed'][number]): string => `not heard    ${type}: ${error}`

const describeAccess = (access: Done['access']): string =>
  Object.entries(access)
    .map(([name, { expiresDate }]) => `${name} ${expiresDate === null ? 'for ever' : `until ${expiresDate}`}`)
    .join(', ') || 'none'
