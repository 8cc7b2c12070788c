import { expect } from 'bun:test'
import type { Stage } from '../cast'
import type { StaffCalls } from '../staff'

/** What ClickHouse and the database itself answer to a call; the test fails unless they are the same, byte by byte. */
export async function equalAnswer(s: Stage, member: StaffCalls, path: string, projectId = s.project.id) {
  const mirror = s.ctx.state.analytics
  if (!mirror) throw new Error('no ClickHouse is configured')
  const copied = await member.get(path, { projectId })
  s.ctx.state.analytics = null
  try {
    const own = await member.get(path, { projectId })
    expect([path, copied.status, JSON.stringify(copied.body)]).toEqual([path, own.status, JSON.stringify(own.body)])
    return own
  } finally {
    s.ctx.state.analytics = mirror
  }
}
