import { Alert } from '../../ui/Alert'

export function ClosableProblem({ problem, onClose }: { problem: string | null; onClose: () => void }) {
  return (
    problem && (
      <Alert tone="error" onClose={onClose}>
        {problem}
      </Alert>
    )
  )
}
