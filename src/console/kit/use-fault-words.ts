import { faultIn } from '../lib/fault-words'
import { useText } from '../text/catalogue'

/** Says messages of the API's schemas in the language of the person. */
export function useFaultWords(): (message: string) => string {
  const { faults } = useText('common')
  return (message) => faultIn(message, faults)
}
