/** Why a comparison with another vendor stopped, and why an answer of the vendor could not be used. */
export const COMPARE_REASONS = {
  COMPARE_CANCELLED: 'it was cancelled',
  COMPARE_REPLACED: 'it was interrupted, and another comparison took its place',
  COMPARE_INTERRUPTED: 'The comparison was interrupted.',
  COMPARE_TAKEN: 'The comparison was ended, or another process works on it.',
  COMMAND_INTERRUPTED: 'the command was interrupted',
  VENDOR_KEY_SEALED: 'the key of the vendor does not open; bring back the master key of before',
  VENDOR_REFUSES_KEY:
    'The vendor refuses the key (HTTP {httpStatus}); it needs a key of the same project for version 1 of the API.',
  VENDOR_SILENT: 'The vendor has not answered for a long time ({answer}).',
  VENDOR_ADDRESS: 'The address of the vendor {message}.',
  VENDOR_UNREADABLE: '{count} answers in a row could not be used: {message}.',
  VENDOR_NO_ANSWER: 'no answer ({answer})',
  VENDOR_ANSWERS: 'the answer is HTTP {httpStatus}',
  VENDOR_NO_JSON: 'the answer is not JSON',
} as const
