import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { contentByName, withoutNulls } from '../../src/core/project-file/content'
import { createProject } from '../../src/projects/project/service'
import { applyFile } from '../../src/projects/project-file/apply'
import { changesOf } from '../../src/projects/project-file/changes'
import { formatDiff, formatProblems } from '../../src/projects/project-file/diff'
import { label } from '../../src/projects/project-file/fields'
import { objects } from '../../src/projects/project-file/form'
import { loadCurrent } from '../../src/projects/project-file/load'
import { sectionKey } from '../../src/projects/project-file/model'
import { changed, idOrNull, nameOrNull, planObjects, savedAs } from '../../src/projects/project-file/pair'
import { locateProblems, parseProjectFile } from '../../src/projects/project-file/parse'
import type { Section, Sections } from '../../src/projects/project-file/section'
import { writeYaml } from '../../src/projects/project-file/write-yaml'
import { AUDIENCES, audienceName } from '../../src/targeting/audiences/project-file/form'
import { type Stage, stage } from '../support/cast'
import { SECTIONS } from '../support/sections'

// A section that svc does not have: it is given to the engine in the list, and no other file knows of it.

interface NoteState {
  text: string
  audience: string | null
}

interface NoteRow {
  id: string
  title: string
  text: string
  audienceId: string | null
}

const NOTES = sectionKey<NoteState>('notes', 'note')

/** What a table would hold, by project. */
const table = new Map<string, NoteRow[]>()

const noteSection: Section<NoteState, NoteRow[], NoteState, { kept: NoteRow[]; isChanged: boolean }> = {
  key: NOTES,
  placedBelow: 'access',
  parse: objects((members) => ({
    text: members.required('text', label, ''),
    audience: members.optional<string | null>('audience', audienceName, null),
  })),
  load: async ({ project }) => table.get(project.id) ?? [],
  names: (rows) => new Map(rows.map(({ id, title }) => [id, title])),
  current: (rows, names) =>
    rows.map(({ id, title, text, audienceId }) =>
      savedAs(names.of(NOTES), id, title, { text, audience: nameOrNull(names.of(AUDIENCES), audienceId) }),
    ),
  plan: (given) => planObjects(given),
  uses: ({ audience }) => [{ of: AUDIENCES, names: audience === null ? [] : [audience] }],
  named: (title) => ({ title }),
  rows: ({ pairs, rows, ids }) => {
    const { created, updated, deletedIds } = changed(pairs, (id, title, { text, audience }) => {
      return { id, title, text, audienceId: idOrNull(ids.of(AUDIENCES), audience) }
    })
    const gone = new Set([...deletedIds, ...updated.map(({ id }) => id)])
    const kept = [...rows.filter(({ id }) => !gone.has(id)), ...updated, ...created]
    return { kept, isChanged: gone.size + created.length > 0 }
  },
  write: async (tx, projectId, { kept, isChanged }) => {
    if (isChanged) tx.afterCommit(() => table.set(projectId, kept))
  },
  content: (saved) => contentByName(saved, (state) => withoutNulls({ ...state })),
}

const ALL: Sections = [...SECTIONS, noteSection]

let on: Stage
let projectId: string
beforeAll(async () => {
  on = await stage()
})
afterAll(() => on.close())
beforeEach(async () => {
  projectId = (await createProject(on.ctx, { name: 'Sleep App' })).project.id
})

async function apply(text: string, prune = false, sections = ALL) {
  const parsed = parseProjectFile(sections, `version: 1\n${text}`, { env: () => null, file: () => null })
  if ('unreadable' in parsed) throw new Error(JSON.stringify(parsed.unreadable))
  const plan = await applyFile(on.ctx, projectId, parsed, { prune })
  return plan.problems.length > 0
    ? formatProblems('svc.yaml', locateProblems(parsed, plan.problems))
    : formatDiff(changesOf(plan), plan.keptSecrets)
}

const exported = async (sections = ALL): Promise<string> =>
  writeYaml(await loadCurrent(on.ctx, projectId, sections), { withIds: true }).replace('version: 1\n', '')

const FILE = `audiences: { Turkey: { rules: { country: TR } } }
notes:
  welcome: { text: Hello, audience: Turkey }
  later: { text: Bye }`

test('its objects are made, kept in the audit log and exported, and applying the export changes nothing', async () => {
  expect(await apply(FILE)).toEqual([
    '+ audience Turkey',
    '+ note welcome',
    '+ note later',
    '3 to create, 0 to change, 0 to delete.',
  ])
  const { auditLog: log } = on.ctx.tables
  const rows = await on.ctx.db.select().from(log).where(eq(log.projectId, projectId)).orderBy(log.position)
  expect(rows.at(-1)).toMatchObject({
    action: 'note.create',
    target: { type: 'note', id: 'later' },
    before: null,
    after: { title: 'later', text: 'Bye', audience: null },
  })
  expect(table.get(projectId)?.map(({ title, audienceId }) => [title, audienceId?.slice(0, 4)])).toEqual([
    ['welcome', 'aud_'],
    ['later', undefined],
  ])
  const text = await exported()
  expect(text).toContain(`access: {}

notes:
  later:
    # later
    text: Bye
  welcome:
    # welcome
    text: Hello
    audience: Turkey

virtualCurrencies: {}
`)
  const held = table.get(projectId)
  for (const prune of [false, true]) expect(await apply(text, prune)).toEqual(['no changes'])
  expect(table.get(projectId)).toBe(held)
})

test('its objects are renamed, follow a rename of what they name, and are pruned', async () => {
  await apply(FILE)
  expect(await apply('audiences: { Türkiye: { was: Turkey, rules: { country: TR } } }')).toEqual([
    '~ audience Türkiye',
    '    name: Turkey -> "Türkiye"',
    '0 to create, 1 to change, 0 to delete.',
  ])
  expect(await exported()).toContain('audience: Türkiye')
  expect(await apply('notes: { hello: { was: welcome, text: Hi, audience: Türkiye } }', true)).toEqual([
    '~ note hello',
    '    title: welcome -> hello',
    '    text: Hello -> Hi',
    '- note later                      (--prune)',
    '0 to create, 1 to change, 1 to delete.',
  ])
  expect(table.get(projectId)).toMatchObject([{ id: 'welcome', title: 'hello', text: 'Hi' }])
})

test('what is wrong with it is told as of any section, and writes nothing', async () => {
  await apply(FILE)
  const held = table.get(projectId)
  expect(
    await apply('notes:\n  a: { txt: A }\n  b: { text: B, audience: Nowhere }\n  later: { text: C, was: welcome }\n'),
  ).toEqual([
    'svc.yaml:3:3 notes.a: text is missing',
    'svc.yaml:3:8 notes.a.txt: Unknown key "txt"; did you mean text?',
    'svc.yaml:4:17 notes.b.audience: There is no audience called Nowhere',
    'svc.yaml:5:21 notes.later.was: welcome cannot become later: that is there already (CONFLICT)',
  ])
  expect(await apply('notes:\n')).toEqual([
    'svc.yaml:2:1 notes: notes is empty; write {} to say that there is nothing, or leave it out',
  ])
  expect(await apply('audiences: {}', true)).toEqual([
    'svc.yaml:2:1 audiences: audience Turkey cannot be pruned: note welcome uses it (audience_in_use)',
  ])
  expect(table.get(projectId)).toBe(held)
})

test('without it in the list, a file that has it is refused and an export leaves it out', async () => {
  await apply(FILE)
  expect(await apply('notes: {}', false, SECTIONS)).toEqual(['svc.yaml:2:1 notes: Unknown key "notes"'])
  expect(await exported(SECTIONS)).not.toContain('notes')
})

test('a section cannot plan from one that comes after it in the list', async () => {
  const early = {
    ...noteSection,
    plan: (given: Parameters<typeof noteSection.plan>[0]) => {
      given.planned.of(AUDIENCES)
      return noteSection.plan(given)
    },
  }
  await expect(apply('notes: {}', false, [early, ...SECTIONS])).rejects.toThrow('audiences is planned after')
  expect(await apply('notes: {}', false, [...SECTIONS, early])).toEqual(['no changes'])
})

test('a list of it alone is a project file of one section', async () => {
  expect(await apply('notes: { a: { text: A } }', false, [noteSection])).toEqual([
    '+ note a',
    '1 to create, 0 to change, 0 to delete.',
  ])
  expect(await exported([noteSection])).toBe('\nnotes:\n  a:\n    # a\n    text: A\n')
})
