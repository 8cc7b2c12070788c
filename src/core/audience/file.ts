import { type Content, sortDeep } from '../project-file/content'

/** The names of audiences by id. */
export interface AudienceNames {
  audiences: ReadonlyMap<string, string>
}

/** Where the audience does not exist any more, its id is the name: without a name the rule would apply to everybody. */
export const audienceName = (id: string | null, { audiences }: AudienceNames): string | null =>
  id === null ? null : (audiences.get(id) ?? id)

/** The description and the rules of an audience as the file writes them; null = the file leaves the member out. */
export const audienceMembers = ({ description, rules }: { description: string | null; rules: unknown }): Content => ({
  description,
  rules: sortDeep(rules),
})
