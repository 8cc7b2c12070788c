import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { exportCommand } from '../../src/moving/project-file/export-command'
import { stage } from '../support/cast'
import { runBeside } from '../support/command'
import { freshFolder } from '../support/exports'
import { importJob } from '../support/imports'

test('an export of a whole project says which files it leaves behind', async () => {
  const s = await stage()
  const moved = (...more: string[]) => {
    const file = join(freshFolder(), 'project.svc.gz')
    return runBeside(s, exportCommand, '--project', s.project.id, '--with-data', '-o', file, ...more)
  }
  const none = await moved('--json')
  expect([none.err, JSON.parse(none.out).left]).toEqual(['', []])
  expect((await moved()).out).not.toContain('Not in it')
  await importJob(s)
  await importJob(s, {}, { filesDeletedAt: s.ctx.clock.now() })
  const some = await moved('--json')
  expect(JSON.parse(some.out).left).toEqual([{ what: 'imports whose files are still kept', count: 1 }])
  expect((await moved()).out).toContain('Not in it: imports whose files are still kept (1).')
  await s.close()
})
