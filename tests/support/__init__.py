"""What tests build on: servers, browsers and installations of the product."""
