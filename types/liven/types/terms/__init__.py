"""Types as terms: plain frozen values for value types, interfaces, endpoint types and object types, with
their hash and their printed form.

Relations between two types are in `matching`, their bytes in `codec`. Start with `value_types` and
`endpoint_types`.
"""
