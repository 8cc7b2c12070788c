const keyOf = (projectId: string): string => `svc.assistant.${projectId}`

/** The thread that was last open in this tab; null = a new one. */
export const threadHere = {
  get: (projectId: string): string | null => sessionStorage.getItem(keyOf(projectId)),
  set: (projectId: string, id: string | null): void =>
    id === null ? sessionStorage.removeItem(keyOf(projectId)) : sessionStorage.setItem(keyOf(projectId), id),
}
