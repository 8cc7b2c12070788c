export const texts = {
  title: 'catalogue',
}
