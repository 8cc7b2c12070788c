import { type TargetRules, URL_FAULTS, urlFault } from '../../base/lib/outgoing-url'
import type { ProjectSettings } from '../../core/project/schema'
import { isSlugTaken } from '../project/admin-queries'
import { type ProjectRow, updateProject } from '../project/service'
import { allSettings, withoutDefaults } from '../project/settings'
import type { Pair } from './model'
import { isChanged } from './pair'
import { type Problem, problem } from './problem'
import { PROJECT, PROJECT_FORM, type ProjectFields, type WantedProject } from './project-form'
import type { Checking, Planning, Section } from './section'

interface ProjectRows {
  project: ProjectRow
  /** Whether another project has the slug that the file names. */
  isSlugTaken: boolean
  targets: TargetRules
}

type Change = Pick<ProjectRow, 'id'> & Omit<ProjectFields, 'settings'> & { settings: Partial<ProjectSettings> }

/** The project itself: one object, which a file never creates or deletes. */
export const projectSection: Section<WantedProject, ProjectRows, ProjectFields, Change[]> = {
  key: PROJECT,
  isOneObject: true,
  parse: (spot) => {
    const state = PROJECT_FORM(spot)
    return state && [{ name: state.slug ?? '', was: null, path: spot.path, state }]
  },
  async load({ handle, project }, wanted) {
    const given = wanted?.[0]?.state.slug ?? project.slug
    return {
      project,
      targets: handle.config,
      isSlugTaken: given !== project.slug && (await isSlugTaken(handle, given)),
    }
  },
  names: ({ project }) => new Map([[project.id, project.slug]]),
  current: ({ project }) => [
    { id: project.id, name: project.slug, formerName: project.slug, state: fieldsOf(project) },
  ],
  plan,
  check,
  named: (name) => ({ slug: name }),
  rows: ({ pairs }) =>
    pairs.flatMap((pair) => {
      const { id, after } = pair
      return after !== null && isChanged(pair) ? [{ id, ...after, settings: withoutDefaults(after.settings) }] : []
    }),
  async write(tx, _projectId, changes) {
    for (const { id, ...change } of changes) await updateProject(tx, id, { ...change, updatedAt: tx.clock.now() })
  },
  content: (_saved, { project }) => PROJECT_FORM.write({ ...fieldsOf(project), was: null }),
  leaves: ({ state }) => [...(state.slug === null ? [['slug']] : []), ...(state.name === null ? [['name']] : [])],
  places: ({ project }) => [[[PROJECT.name], project.id]],
}

function plan({
  wanted,
  rows: { project },
}: Planning<WantedProject, ProjectRows, ProjectFields>): Pair<ProjectFields>[] {
  const before = fieldsOf(project)
  const [given] = wanted ?? []
  const after = given ? wantedFields(given.state, before) : before
  const names = { id: project.id, name: after.slug, formerName: before.slug }
  return [{ ...names, before, after, path: [PROJECT.name], isPruned: false }]
}

const wantedFields = ({ was: _, ...fields }: WantedProject, before: ProjectFields): ProjectFields => ({
  ...fields,
  slug: fields.slug ?? before.slug,
  name: fields.name ?? before.name,
})

function check({ wanted, rows }: Checking<WantedProject, ProjectRows, ProjectFields>): Problem[] {
  const state = wanted?.[0]?.state
  return state ? [...slugProblems(state, rows), ...jwksProblems(state, rows)] : []
}

/** The host is not looked up here: that happens at every call to it. */
function jwksProblems({ settings: { identityJwksUrl } }: WantedProject, { targets }: ProjectRows): Problem[] {
  const fault = identityJwksUrl === null ? null : urlFault(identityJwksUrl, targets)
  return fault === null ? [] : [problem([PROJECT.name, 'settings', 'identityJwksUrl'], `This ${URL_FAULTS[fault]}`)]
}

function slugProblems(state: WantedProject, { project, isSlugTaken: isTaken }: ProjectRows): Problem[] {
  const wanted = state.slug ?? project.slug
  if (wanted === project.slug) return []
  const path = [PROJECT.name, 'slug']
  const advice = `to rename the project add was: ${project.slug}`
  if (state.was !== project.slug)
    return [problem(path, `This file is for ${wanted}, not for ${project.slug}; ${advice}`)]
  return isTaken ? [problem(path, `The slug ${wanted} is in use; choose another`, 'CONFLICT')] : []
}

const fieldsOf = ({ slug: own, name, settings, ...row }: ProjectRow): ProjectFields => ({
  ...{ slug: own, name, timezone: row.timezone, allowedOrigins: row.allowedOrigins },
  ...{ termsUrl: row.termsUrl, privacyUrl: row.privacyUrl, settings: allSettings(settings) },
})
