import type { ProjectHere } from './session'
import { makeStore } from './store'

const KEY = 'svc.assistant'

/** Whether the assistant's panel is open. This tab remembers it, also after a reload. */
export const assistantOpen = makeStore(sessionStorage.getItem(KEY) === 'open')
assistantOpen.subscribe(() => sessionStorage.setItem(KEY, assistantOpen.get() ? 'open' : ''))

/** Whether the person has an assistant in the project: it can be switched off, and support only looks. */
export const hasAssistant = ({ project }: ProjectHere): boolean =>
  project.settings.assistant !== 'off' && project.role !== 'SUPPORT_READ'

export const toggleAssistant = (): void => assistantOpen.set(!assistantOpen.get())
