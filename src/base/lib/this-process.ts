import { hostname } from 'node:os'

/** The name of this process in rows that it works on. `instanceId` is unique for each start. */
export const processName = (instanceId: string): string => `${hostname()} ${process.pid} ${instanceId}`

/** Whether the process of a name is known to have ended. Of another machine, nothing is known. */
export function isGone(name: string, instanceId: string): boolean {
  const [host, pid, instance] = name.split(' ')
  if (instance === instanceId || host !== hostname()) return false
  // In a container, each start has the same number.
  return Number(pid) === process.pid || !isAlive(Number(pid))
}

/** Whether a process of this machine runs. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: unknown }).code === 'EPERM' // It runs, as another user.
  }
}
