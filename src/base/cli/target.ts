import type { ConfigFlags } from '../config'
import type { Context } from '../context'
import type { Io } from './command'
import { withContext } from './context'
import { type Remote, type RemoteValues, readRemote } from './remote'

/** The same work at the two places where a command can do it. */
interface Places<Result> {
  server: (remote: Remote) => Promise<Result>
  machine: (ctx: Context) => Promise<Result>
}

/** Works on the server that `--url` or `SVC_URL` names; without one, on the database of this machine. */
export async function withTarget<Result>(
  io: Io,
  values: RemoteValues & ConfigFlags,
  { server, machine }: Places<Result>,
): Promise<Result> {
  const remote = readRemote(io, values)
  return remote ? server(remote) : withContext(io, values, machine)
}
