"""Who is here, and what each is at: shown beside the state of objects, never part of it."""
