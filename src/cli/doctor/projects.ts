import {
  type BrokenObject,
  type Check,
  type Examination,
  type Examined,
  fail,
  ok,
  type ProjectReport,
  warn,
} from '../../base/cli/doctor'
import { listProjects, type ProjectRow } from '../../projects/project/service'
import { inOrder } from '../order'

/** Whether each project is ready for its app. */
export async function checkProjects(examined: Examined, examinations: readonly Examination[]): Promise<Check[]> {
  const projects = await listProjects(examined.handle)
  if (projects.length === 0)
    return [warn('projects', 'There is none yet; make one with: svc project create --name NAME')]
  const ordered = inOrder(examinations, ORDER, ({ name }) => name)
  const checks: Check[] = []
  for (const project of projects) checks.push(...(await checkProject(examined, project, ordered)))
  return checks
}

/** The slices in the order in which their faults should be corrected. */
const ORDER = [
  'connections',
  'refund-shield',
  'sdk-door',
  'project',
  'identity-tokens',
  'catalog',
  'checkout',
  'remote-config',
  'audiences',
  'placements',
]

async function checkProject(
  examined: Examined,
  project: ProjectRow,
  examinations: readonly Examination[],
): Promise<Check[]> {
  const name = `project ${project.slug}`
  const reports: ProjectReport[] = []
  for (const examination of examinations) reports.push((await examination.project?.(examined, project)) ?? {})
  const broken = brokenSentences(reports.flatMap((report) => report.broken ?? []))
  const found = reports.flatMap((report) => report.faults ?? []).map(({ message }) => message)
  const faults = [...found, ...broken].map((sentence) => fail(name, sentence))
  const gaps = reports.flatMap((report) => report.gaps ?? []).map(({ message }) => warn(name, message))
  return faults.length + gaps.length > 0 ? [...faults, ...gaps] : [ok(name, countSentence(reports))]
}

const MAX_NAMED = 5

/** One sentence for each broken object. It names the first fault of the object. */
function brokenSentences(broken: readonly BrokenObject[]): string[] {
  const objects = [...Map.groupBy(broken, ({ id }) => id).values()].flatMap(([first]) => first ?? [])
  const more = objects.length - MAX_NAMED
  const sentences = objects.slice(0, MAX_NAMED).map(({ kind, id, name, path, message }) => {
    const what = message.startsWith(path) ? message : `${path}: ${message}`
    const called = name === null ? id : `${name} (${id})`
    return `The stored ${kind} ${called} is broken and fails closed: ${what}. Save it again.`
  })
  return more > 0 ? [...sentences, `${more} more stored objects of targeting are broken.`] : sentences
}

const COUNTED = ['products', 'live API keys']

/** `3 products, 1 live API keys.` */
function countSentence(reports: readonly ProjectReport[]): string {
  const counts = inOrder(
    reports.flatMap((report) => Object.entries(report.counts ?? {})),
    COUNTED,
    ([what]) => what,
  )
  return `${counts.map(([what, count]) => `${count} ${what}`).join(', ')}.`
}
