/** What audiences are called, by id. */
export interface AudienceNames {
  audiences: ReadonlyMap<string, string>
}

/** An audience that is gone keeps its id for a name: without one, the rule would be for everybody. */
export const audienceName = (id: string | null, { audiences }: AudienceNames): string | null =>
  id === null ? null : (audiences.get(id) ?? id)
