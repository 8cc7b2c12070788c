/** The description of a command. */
export interface CommandHelp {
  name: string
  /** One line for the list of commands. */
  summary: string
  /** Usage, options and one real example. */
  help: string
}
