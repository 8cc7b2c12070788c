import { hasAssistant, toggleAssistant } from '../lib/assistant-panel'
import { commandKeys, fullTimes } from '../lib/keys'
import type { ProjectHere } from '../lib/session'
import type { Texts } from '../text/catalogue'
import { ENTRIES, isAllowed } from './entries'
import { LETTERS } from './shortcuts'

/** One line of the palette. */
export interface Command {
  id: string
  kind: string
  title: string
  subtitle?: string | null
  keys?: string
  /** Other words by which it is found. */
  words?: string
  run: () => void
}

interface Surroundings {
  t: Texts['common']
  here: ProjectHere | null
  isAdmin: boolean
  projects: readonly { slug: string; name: string }[]
  go: (href: string) => void
  onKeys: () => void
  copy: (text: string) => void
  /** Of the screen: the person whose it is. */
  personHref: string | null
  setTheme: (theme: 'LIGHT' | 'DARK') => void
  charts: readonly { id: string; title: string; words: string }[]
  settings: readonly string[]
}

/** Everything that can be done from anywhere: acts, screens, other projects. */
export const commandsOf = (around: Surroundings): Command[] => [
  ...actsOf(around),
  ...writesOf(around),
  ...screensOf(around),
  ...chartsOf(around),
  ...settingsOf(around),
  ...ownScreensOf(around),
  ...projectsOf(around),
]

function actsOf({ t, here, go, onKeys, copy, setTheme }: Surroundings): Command[] {
  const act = (id: string, title: string, run: () => void, keys = ''): Command => ({
    ...{ id: `do ${id}`, kind: t.paletteDo, title, run, keys },
  })
  const isSandbox = here?.environment === 'SANDBOX'
  return [
    ...(here
      ? [
          act('env', isSandbox ? t.toProduction : t.toSandbox, () =>
            here.setEnvironment(isSandbox ? 'PRODUCTION' : 'SANDBOX'),
          ),
          ...(hasAssistant(here) ? [act('ask', t.askAssistant, toggleAssistant, commandKeys('J'))] : []),
          act('copy', t.copyProjectId, () => copy(here.project.id)),
        ]
      : []),
    act('new', t.newProject, () => go('/projects?do=new')),
    act('times', t.keyTimes, () => fullTimes.set(!fullTimes.get()), 'T'),
    act('keys', t.shortcuts, onKeys, '?'),
    act('dark', t.themeDark, () => setTheme('DARK')),
    act('light', t.themeLight, () => setTheme('LIGHT')),
    act('out', t.signOut, () => go('/sign-out')),
  ]
}

/** Commands that lead to a change. The screen itself checks the role. */
function writesOf({ t, here, go, copy, personHref }: Surroundings): Command[] {
  if (!here) return []
  const query = here.environment === 'SANDBOX' ? '&env=sandbox' : ''
  const act = (id: string, title: string, words: string, run: () => void, subtitle?: string): Command => ({
    ...{ id: `do ${id}`, kind: t.paletteDo, title, words, run },
    ...(subtitle === undefined ? {} : { subtitle }),
  })
  const { base, project } = here
  return [
    personHref === null
      ? act('grant', t.grantAccess, t.grantWords, () => go(`${base}/subscribers?to=grant${query}`), t.grantWho)
      : act('grant', t.grantAccess, t.grantWords, () => go(`${personHref}?do=grant${query}`)),
    act('flag', t.newFlag, t.newFlagWords, () => go(`${base}/growth?do=new${query}`)),
    act('invite', t.invitePerson, t.inviteWords, () => go(`${base}/settings/members?do=invite${query}`)),
    act(
      'simulate',
      t.simulatePurchase,
      t.simulateWords,
      () => copy(`svc simulate purchase --project ${project.slug}`),
      t.copiesCommand,
    ),
  ]
}

const chartsOf = ({ t, here, go, charts }: Surroundings): Command[] =>
  here === null
    ? []
    : charts.map(({ id, title, words }) => ({
        ...{ id: `chart ${id}`, kind: t.chart, title, words },
        run: () => go(`${here.base}/charts/${id}${here.environment === 'SANDBOX' ? '?env=sandbox' : ''}`),
      }))

const settingsOf = ({ t, here, go, settings }: Surroundings): Command[] =>
  here === null
    ? []
    : settings.map((title) => ({
        ...{ id: `setting ${title}`, kind: t.settings, title },
        run: () => go(`${here.base}/settings`),
      }))

function screensOf({ t, here, go }: Surroundings): Command[] {
  if (!here) return []
  const query = here.environment === 'SANDBOX' ? '?env=sandbox' : ''
  return ENTRIES.filter((entry) => isAllowed(entry, here)).flatMap((entry) => {
    const start = `${here.base}/${entry.name}`
    const title = t[entry.name]
    const line = (path: string, name: string, keys = ''): Command => ({
      ...{ id: `go ${entry.name}${path}`, kind: t.paletteGo, title: name, keys },
      run: () => go(`${start}${path}${query}`),
    })
    const below = entry.children.filter((child) => isAllowed(child, here) && child.path !== '')
    return [
      line('', title, `G ${LETTERS[entry.name].toUpperCase()}`),
      ...below.map(({ path, text }) => line(path, `${title} › ${t[text]}`)),
    ]
  })
}

const ownScreensOf = ({ t, isAdmin, go }: Surroundings): Command[] =>
  [
    ['/projects', t.projects],
    ['/account', `${t.account} › ${t.profile}`],
    ['/account/security', `${t.account} › ${t.security}`],
    ['/account/sessions', `${t.account} › ${t.sessions}`],
    ['/account/tokens', `${t.account} › ${t.tokens}`],
    ['/account/notifications', `${t.account} › ${t.notifications}`],
    ['/account/notices', t.notices],
    ...(isAdmin ? [['/platform', t.platform]] : []),
  ].map(([href = '', title = '']) => ({ id: `go ${href}`, kind: t.paletteGo, title, run: () => go(href) }))

const projectsOf = ({ t, here, projects, go }: Surroundings): Command[] =>
  projects
    .filter(({ slug }) => slug !== here?.project.slug)
    .map(({ slug, name }) => ({
      ...{ id: `project ${slug}`, kind: t.project, title: name, subtitle: slug },
      run: () => go(`/p/${slug}/overview`),
    }))

/** The commands with every typed word in them, in their own order. */
export function matching(commands: readonly Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return commands.filter(({ kind, title, subtitle, words: own = '' }) => {
    const all = `${kind} ${title} ${subtitle ?? ''} ${own}`.toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
