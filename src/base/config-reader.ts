import { type ChoiceName, type ChoiceOf, type IntegerName, VARIABLES, type VariableName } from './config-variables'

type SwitchName = 'SVC_DATABASE_PREPARE' | 'SVC_DATABASE_LISTEN' | 'SVC_SIMULATOR' | 'SVC_OAUTH_OIDC_TRUST_EMAIL'

export type Env = Record<string, string | undefined>

/** Reads variables of the environment, and collects their faults. */
export class Reader {
  readonly faults: string[] = []
  constructor(private readonly env: Env) {}

  text(name: VariableName): string | undefined {
    const value = this.env[name]?.trim()
    return value === '' ? undefined : value
  }

  /** A whole number in the range of its variable. `flag` is an option of the command line that overrides it. */
  integer(name: IntegerName, flag?: [string, string]): number {
    const { default: fallback, range } = VARIABLES[name]
    const [least, greatest] = range
    const [source, given] = flag ?? [name, this.text(name)]
    if (given === undefined) return fallback
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
    if (value >= least && value <= greatest) return value
    this.fault(source, given, `a whole number from ${least} to ${greatest}`)
    return fallback
  }

  /** One of the accepted texts of its variable, which has a default. */
  oneOf<Name extends ChoiceName>(name: Name): ChoiceOf<Name> {
    const { default: fallback, values } = VARIABLES[name]
    return this.choice<ChoiceOf<Name>>(name, values) ?? fallback
  }

  isOn(name: SwitchName): boolean {
    return this.oneOf(name) === 'on'
  }

  /** One of the given texts, or null when the variable is not set. */
  choice<Value extends string>(name: VariableName, values: readonly Value[]): Value | null {
    const given = this.text(name)
    if (given === undefined) return null
    const value = values.find((candidate) => candidate === given)
    if (value === undefined) this.fault(name, given, `one of ${values.join(', ')}`)
    return value ?? null
  }

  fault(name: string, given: string, accepted: string): void {
    this.faults.push(`${name} is "${given}"; it must be ${accepted}.`)
  }

  /** Like `fault`, for values that are secret or contain a secret. */
  secretFault(name: string, accepted: string): void {
    this.faults.push(`${name} is set but not usable; it must be ${accepted}.`)
  }
}
