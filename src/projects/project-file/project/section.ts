import { type TargetRules, URL_FAULTS, urlFault } from '../../../base/lib/outgoing-url'
import { isSlugTaken } from '../../project/admin-queries'
import { type ProjectRow, updateProject } from '../../project/service'
import { allSettings, type ProjectSettings, withoutDefaults } from '../../project/settings'
import { unless, withoutEmpty } from '../content'
import type { Pair } from '../model'
import { isChanged } from '../pair'
import { type Problem, problem } from '../problem'
import type { Checking, Planning, Section } from '../section'
import { PROJECT, type ProjectFields, type WantedProject } from './model'
import { parseProject } from './parse'

interface ProjectRows {
  project: ProjectRow
  /** Whether another project has the slug that the file wants. */
  isSlugTaken: boolean
  targets: TargetRules
}

type Change = Pick<ProjectRow, 'id'> & Omit<ProjectFields, 'settings'> & { settings: Partial<ProjectSettings> }

/** The project itself: one object, which a file never creates or deletes. */
export const projectSection: Section<WantedProject, ProjectRows, ProjectFields, Change[]> = {
  key: PROJECT,
  parse: parseProject,
  async load({ handle, project }, wanted) {
    const slug = wanted?.[0]?.state.slug ?? project.slug
    return { project, targets: handle.config, isSlugTaken: slug !== project.slug && (await isSlugTaken(handle, slug)) }
  },
  names: ({ project }) => new Map([[project.id, project.slug]]),
  current: ({ project }) => [
    { id: project.id, name: project.slug, formerName: project.slug, state: fieldsOf(project) },
  ],
  plan,
  check,
  named: (slug) => ({ slug }),
  rows: ({ pairs }) =>
    pairs.flatMap((pair) => {
      const { id, after } = pair
      return after !== null && isChanged(pair) ? [{ id, ...after, settings: withoutDefaults(after.settings) }] : []
    }),
  async write(tx, _projectId, changes) {
    for (const { id, ...change } of changes) await updateProject(tx, id, { ...change, updatedAt: tx.clock.now() })
  },
  content: (_saved, { project }) => {
    const { settings, ...fields } = fieldsOf(project)
    return withoutEmpty({
      ...fields,
      timezone: unless('UTC', fields.timezone),
      settings: withoutDefaults(settings),
    })
  },
  leaves: ({ state: { slug, name } }) => [...(slug === null ? [['slug']] : []), ...(name === null ? [['name']] : [])],
  places: ({ project }) => [[[PROJECT.name], project.id]],
}

function plan({
  wanted,
  rows: { project },
}: Planning<WantedProject, ProjectRows, ProjectFields>): Pair<ProjectFields>[] {
  const before = fieldsOf(project)
  const [given] = wanted ?? []
  const after = given
    ? { ...withoutWas(given.state), slug: given.state.slug ?? before.slug, name: given.state.name ?? before.name }
    : before
  const names = { id: project.id, name: after.slug, formerName: before.slug }
  return [{ ...names, before, after, path: [PROJECT.name], isPruned: false }]
}

const withoutWas = ({ was, ...fields }: WantedProject): Omit<WantedProject, 'was'> => fields

function check({ wanted, rows }: Checking<WantedProject, ProjectRows, ProjectFields>): Problem[] {
  const state = wanted?.[0]?.state
  return state ? [...slugProblems(state, rows), ...jwksProblems(state, rows)] : []
}

/** The host is not looked up here: that happens at every call to it. */
function jwksProblems({ settings: { identityJwksUrl } }: WantedProject, { targets }: ProjectRows): Problem[] {
  const fault = identityJwksUrl === null ? null : urlFault(identityJwksUrl, targets)
  return fault === null ? [] : [problem([PROJECT.name, 'settings', 'identityJwksUrl'], `This ${URL_FAULTS[fault]}`)]
}

function slugProblems(state: WantedProject, { project, isSlugTaken }: ProjectRows): Problem[] {
  const slug = state.slug ?? project.slug
  if (slug === project.slug) return []
  const path = [PROJECT.name, 'slug']
  const advice = `to rename the project add was: ${project.slug}`
  if (state.was !== project.slug) return [problem(path, `This file is for ${slug}, not for ${project.slug}; ${advice}`)]
  return isSlugTaken ? [problem(path, `The slug ${slug} is in use; choose another`, 'CONFLICT')] : []
}

const fieldsOf = (row: ProjectRow): ProjectFields => ({
  slug: row.slug,
  name: row.name,
  timezone: row.timezone,
  allowedOrigins: row.allowedOrigins,
  termsUrl: row.termsUrl,
  privacyUrl: row.privacyUrl,
  settings: allSettings(row.settings),
})
