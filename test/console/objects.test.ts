import { describe, expect, test } from 'bun:test'
import { OBJECTS, OWN_FILES, objectAt, WITH_ITEMS } from '../../src/console/api/objects'
import { curlOf, filled } from '../../src/console/lib/curl'
import { testApp, testContext } from '../support/context'

const P = '/dashboard/projects/{projectId}'

/** The paths of the dashboard API that can be read. */
async function readable(): Promise<string[]> {
  const ctx = await testContext()
  const answer = await testApp(ctx).handle(new Request('http://localhost/openapi-dashboard.json'))
  const { paths } = (await answer.json()) as { paths: Record<string, object> }
  await ctx.close()
  return Object.keys(paths).filter((path) => 'get' in (paths[path] ?? {}))
}

describe('what the API reads', () => {
  test('every list whose rows have a path of their own is known', async () => {
    const all = await readable()
    expect(all.length).toBeGreaterThan(100)
    const lists = all.filter((path) =>
      all.some((one) => one.startsWith(`${path}/{`) && !/\}\//.test(one.slice(path.length + 2))),
    )
    // Charts are no list of rows, and no token reads what is below /admin.
    const expected = lists.filter((path) => path !== `${P}/charts` && !path.startsWith('/admin'))
    expect([...WITH_ITEMS].sort()).toEqual(expected.sort() as never)
  })

  test('every object and every file of a screen is read by a path that exists', async () => {
    const all = await readable()
    for (const { path } of OBJECTS) expect(all).toContain(path)
    for (const path of OWN_FILES) expect(all).toContain(`${path}/export.csv`)
  })
})

describe('the object of a screen', () => {
  test('is the last part of its address', () => {
    expect(objectAt('/catalogue/products/prd_1')).toEqual({ path: `${P}/products/{id}`, id: 'prd_1', isUnnamed: true })
    expect(objectAt('/growth/flags/a%20b')?.id).toBe('a b')
    expect(objectAt('/charts/mrr')?.id).toBe('mrr')
    expect(objectAt('/settings')?.path).toBe(P)
  })

  test.each(['/charts/cohorts', '/charts/sql', '/charts', '/catalogue/offerings/new', '/growth', '/overview', ''])(
    '%j has none',
    (screen) => expect(objectAt(screen)).toBeNull(),
  )
})

describe('a command for a terminal', () => {
  test('names the token only by its variable', () => {
    expect(curlOf('https://svc.example.com', '/dashboard/projects/prj_1?limit=2')).toBe(
      `curl -H "Authorization: Bearer $SVC_TOKEN" 'https://svc.example.com/dashboard/projects/prj_1?limit=2'`,
    )
  })

  test('is one word of the shell whatever the address holds', () => {
    const path = filled(`${P}/feature-flags/by-key/{key}`, { projectId: 'prj_1', key: `'; rm -rf "$HOME` })
    expect(curlOf('https://svc.example.com', path)).toEndWith(
      `'https://svc.example.com/dashboard/projects/prj_1/feature-flags/by-key/%27%3B%20rm%20-rf%20%22%24HOME'`,
    )
  })

  test.each(['/admin/users', '/dashboard/me/tokens', '/dashboard/me/passkeys'])('%s takes no token', (path) =>
    expect(curlOf('https://svc.example.com', path)).toBeNull(),
  )
})
