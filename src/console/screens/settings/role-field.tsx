import { Field, Select } from '../../kit/field'
import { type Role, useProject } from '../../lib/session'
import { useText } from '../../text/catalogue'

export const ROLES = ['CUSTOMER_SUPPORT', 'GROWTH', 'DEVELOPER', 'ADMIN', 'OWNER'] as const satisfies readonly Role[]

interface RoleFieldProps {
  role: Role
  onChange: (role: Role) => void
}

/** A role with its rights. Only an owner gives the role of an owner. */
export function RoleField({ role, onChange }: RoleFieldProps) {
  const t = useText('settings')
  const { hasRole } = useProject()
  const offered = ROLES.filter((one) => one !== 'OWNER' || hasRole('OWNER') || role === 'OWNER')
  return (
    <Field label={t.role} hint={t.roleHint[role]} name="role">
      <Select
        value={role}
        options={offered.map((one) => [one, t.roleName[one]] as const)}
        onChange={(event) => onChange(event.target.value as Role)}
      />
    </Field>
  )
}
