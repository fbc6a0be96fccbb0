import { Result } from './Result'

export default function SuccessPage() {
  return <Result claimed="success" />
}
