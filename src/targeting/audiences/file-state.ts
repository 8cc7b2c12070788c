/** The names of audiences by id. */
export interface AudienceNames {
  audiences: ReadonlyMap<string, string>
}

/** Where the audience does not exist any more, its id is the name: without a name the rule would apply to everybody. */
export const audienceName = (id: string | null, { audiences }: AudienceNames): string | null =>
  id === null ? null : (audiences.get(id) ?? id)
