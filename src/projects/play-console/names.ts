/** A project of Google Cloud, or the reason why it cannot be used. */
export type CloudProject = { ok: true; id: string } | NameRefusal

export type TopicName = { ok: true; topic: string } | NameRefusal

interface NameRefusal {
  ok: false
  /** Reasons of `STORE_CREDENTIALS_INVALID`. */
  reason: 'missing' | 'unreadable' | 'domain_scoped_project'
}

const PROJECT_ID = /^[a-z][a-z0-9-]{4,28}[a-z0-9]$/
/** 3 to 255 characters; names that start with `goog` belong to Google. */
const TOPIC_ID = /^(?!goog)[A-Za-z][\w.~+%-]{2,254}$/

/** The project of a service account: as its file names it, or as its mail address does. */
export function cloudProjectOf(document: Readonly<Record<string, unknown>>): CloudProject {
  const { project_id: named, client_email: email } = document
  if (typeof named === 'string' && named !== '') return checkProject(named)
  const [, fromEmail] = /@(.+)\.iam\.gserviceaccount\.com$/.exec(String(email)) ?? []
  return fromEmail === undefined ? { ok: false, reason: 'missing' } : checkProject(fromEmail)
}

/** `projects/<project>/topics/<name>`, or only the name of a topic in `cloudProject`. */
export function readTopicName(given: string, cloudProject: string): TopicName {
  const [, project = cloudProject, id = given] = /^projects\/([^/]*)\/topics\/([^/]*)$/.exec(given) ?? []
  const checked = checkProject(project)
  if (!checked.ok) return checked
  return TOPIC_ID.test(id)
    ? { ok: true, topic: `projects/${project}/topics/${id}` }
    : { ok: false, reason: 'unreadable' }
}

/** Projects of an old kind are called `example.com:name`. Google Play cannot publish to their topics. */
function checkProject(id: string): CloudProject {
  if (PROJECT_ID.test(id)) return { ok: true, id }
  return {
    ok: false,
    reason: /^[a-z0-9-]+(\.[a-z0-9-]+)+(:[a-z0-9-]+)?$|^[^:]+:[a-z0-9-]+$/.test(id)
      ? 'domain_scoped_project'
      : 'unreadable',
  }
}

export const ownTopic = (cloudProject: string, projectId: string): string =>
  `projects/${cloudProject}/topics/svc-${projectId}`

/** Each new subscription of a project has the next number. */
export const subscriptionName = (cloudProject: string, projectId: string, serial: number): string =>
  `projects/${cloudProject}/subscriptions/svc-${projectId}-${serial}`

/** The project in the name of a topic or subscription. */
export const projectIn = (name: string): string => name.split('/')[1] ?? ''
